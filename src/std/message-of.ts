/** What was thrown, in its own words: an error's message, anything else as text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
