export type Alarm = { readonly ring: () => void; readonly listen: () => Promise<void> };

/** A bell that cannot be missed: what rings between two listenings is heard at the next. */
export const createAlarm = (): Alarm => {
  let resolve: () => void = () => undefined;
  let bell = new Promise<void>((done) => (resolve = done));
  return {
    ring: () => resolve(),
    listen: () => {
      bell = new Promise<void>((done) => (resolve = done));
      return bell;
    },
  };
};
