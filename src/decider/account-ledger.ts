import type { AuditEventOf } from '../domain/events.ts';
import type { AccountId, Instant } from '../domain/ids.ts';
import type { AccountSetting } from '../domain/settings.ts';
import { required } from '../std/assert.ts';
import type { AccountRecord, AuditState } from './state.ts';

/** Accounts and their limits. The plain twin of `machines/account.machine.ts`. */

export type AccountStatus = 'open' | 'throttled' | 'cooling' | 'exhausted';

/**
 * The status that the log gives; the clock is not asked. A cooldown whose time has passed lasts
 * until an event says so: `CooldownElapsed`, or the first start after it.
 */
export const accountStatus = (account: AccountRecord): AccountStatus => {
  if (account.exhausted !== undefined) return 'exhausted';
  if (account.cooldownUntil !== undefined) return 'cooling';
  return account.ceiling < account.declared ? 'throttled' : 'open';
};

export const accountOf = (state: AuditState, id: AccountId): AccountRecord =>
  required(state.accounts.get(id), `I2: account ${id} is declared before anything is said of it`);

/** Declares an account, or declares it anew: its width and source, and an end of exhaustion. */
export const declareAccount = (state: AuditState, setting: AccountSetting): void => {
  const known = state.accounts.get(setting.id);
  if (known === undefined) {
    state.accounts.set(setting.id, {
      id: setting.id,
      ceiling: setting.ceiling,
      declared: setting.ceiling,
      source: setting.source,
      inFlight: 0,
      cooldownUntil: undefined,
      limit: undefined,
      limitedAt: undefined,
      limitsInRow: 0,
      exhausted: undefined,
    });
    return;
  }
  known.ceiling = setting.ceiling;
  known.declared = setting.ceiling;
  known.source = setting.source;
  known.exhausted = undefined;
};

/**
 * A cooldown. A later deadline stands; an earlier one never shortens it. Without a token it is no
 * new signal: the audit only says that it waits for deadlines that are known.
 */
export const startCooldown = (
  account: AccountRecord,
  { until, limit, token, at }: AuditEventOf<'CooldownStarted'>,
): void => {
  account.cooldownUntil = Math.max(account.cooldownUntil ?? 0, until);
  account.limit = limit;
  if (token === undefined) return;
  account.limitedAt = at;
  account.limitsInRow += 1;
};

export const elapseCooldowns = (state: AuditState, at: Instant): void => {
  for (const account of state.accounts.values()) {
    if (account.cooldownUntil !== undefined && account.cooldownUntil <= at) {
      account.cooldownUntil = undefined;
    }
  }
};

/** Only a call that started after the signal is evidence against the limit. */
export const countSuccess = (account: AccountRecord, startedAt: Instant): void => {
  if (account.limitedAt === undefined || startedAt > account.limitedAt) account.limitsInRow = 0;
};
