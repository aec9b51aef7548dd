/**
 * The operator asked for something that cannot be done as it stands. Thrown once, caught once at
 * the door, and shown as it is: the message says what is wrong, the hint what to do.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
