/** Share of a whole, never rounded to "all" or "nothing" when it is neither. */
export const share = (part: number, whole: number): string => {
  if (part === 0 || whole === 0) return '0 %';
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / whole)))} %`;
};

/** A text as a sentence: with a capital and an end. */
export const sentence = (text: string): string => {
  const trimmed = text.trim();
  const ended = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
};
