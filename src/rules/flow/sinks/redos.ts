import { isSlowPattern } from '../slow-patterns.ts';
import type { SourceKind } from '../value.ts';
import { NONE, type Arrival, type SinkCall, type SinkRule } from './sink.ts';

/** What comes in pieces from a program on the other side is seldom chosen by a stranger. */
const NOT_FROM_NETWORK: ReadonlySet<SourceKind> = new Set<SourceKind>(['request', 'parameter']);

export const redos: SinkRule = {
  id: 'flow-redos',
  category: 'redos',
  lens: 'security',
  severity: 'medium',
  confidence: 'medium',
  message:
    'A regular expression that can take time far beyond the length of its text is matched with data from outside',
  help: 'Make the parts of the expression exclude each other, or bound the length of the text before.',
  sources: NOT_FROM_NETWORK,
  match: (call) => {
    switch (call.name) {
      case 'test':
      case 'exec':
        return slow(call, call.self, call.given[0]);
      case 'match':
      case 'matchAll':
      case 'search':
      case 'split':
      case 'replace':
      case 'replaceAll':
        return slow(call, call.given[0], call.self);
      case undefined:
      default:
        return NONE;
    }
  },
};

const slow = (
  { isMember }: SinkCall,
  patterns: SinkCall['self'] | undefined,
  text: SinkCall['self'] | undefined,
): readonly Arrival[] => {
  if (!isMember || patterns === undefined || text === undefined || text.taints.size === 0)
    return NONE;
  const found = [...patterns.patterns].find(isSlowPattern);
  if (found === undefined) return NONE;
  return [{ value: text, says: `is matched with /${found.source.slice(0, 80)}/` }];
};
