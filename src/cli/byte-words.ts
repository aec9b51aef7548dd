const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** "812 B", "1.2 MB": thousands are steps, one digit behind the point. */
export const byteWords = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
};
