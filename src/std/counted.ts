/** "1 file", "2 files", "1,204 files". */
export const counted = (number: number, noun: string): string =>
  `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Thousands apart, without asking the locale. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
