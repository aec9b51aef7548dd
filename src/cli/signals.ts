export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A5: the first signal asks for a stop, a second one ends at once. */
export const catchSignals = (stop: () => void) => {
  let first: StopSignal | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => {
      first ??= signal;
      stop();
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return {
    first: () => first,
    release: () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
};
