/**
 * A machine's configuration as JSON text, which Stately's tools take as it is.
 *
 * @param definition `machine.config`. Our charts are static, so nothing of it is lost.
 * @returns the text, ended by a newline, keys in their declared order: it is a priority list.
 */
export const chartJson = (definition: unknown): string =>
  `${JSON.stringify(definition, undefined, 2)}\n`;
