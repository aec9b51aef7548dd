/**
 * An instant as ISO 8601 in UTC with milliseconds: `2026-11-30T10:14:00.123Z`.
 *
 * By arithmetic, since `Date` is also a clock and the pure rooms have none.
 *
 * @param instantMs whole milliseconds since 1970-01-01T00:00:00Z, from 0 to the end of year 9999.
 */
export const isoTime = (instantMs: number): string => {
  const days = Math.floor(instantMs / DAY_MS);
  const { year, month, day } = dateOf(days);
  const ms = instantMs - days * DAY_MS;
  const clock = [
    padded(Math.floor(ms / 3_600_000), 2),
    padded(Math.floor(ms / 60_000) % 60, 2),
    `${padded(Math.floor(ms / 1000) % 60, 2)}.${padded(ms % 1000, 3)}`,
  ].join(':');
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${clock}Z`;
};

const DAY_MS = 86_400_000;

/**
 * The calendar repeats every 400 years (146,097 days). Years are counted from March here, so that the
 * leap day is the last of its year, and the lengths of the months before it never change:
 * 153 days in any five of them from March or August.
 */
const dateOf = (daysSince1970: number): { year: number; month: number; day: number } => {
  const days = daysSince1970 + 719_468; // since 0000-03-01
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day };
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');
