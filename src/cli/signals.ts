export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export type CaughtSignals = {
  readonly first: () => StopSignal | undefined;
  /** Calls `stop` for each signal, also for those that came before there was anything to stop. */
  readonly onSignal: (stop: () => void) => void;
  readonly release: () => void;
};

/**
 * A5: the first signal asks for a stop, a second one ends at once. They are caught from the moment
 * on in which a log is opened: a process that dies at its default would leave it unclosed.
 */
export const catchSignals = (): CaughtSignals => {
  const received: StopSignal[] = [];
  let stop: (() => void) | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => {
      received.push(signal);
      stop?.();
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return {
    first: () => received[0],
    onSignal: (given) => {
      stop = given;
      for (const _ of received) given();
    },
    release: () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
};
