import { FROM_OUTSIDE, isApi, NONE, type SinkRule } from './sink.ts';

export const xss: SinkRule = {
  id: 'flow-xss',
  category: 'xss',
  lens: 'security',
  severity: 'high',
  confidence: 'medium',
  message: 'Data from outside becomes part of a page as HTML',
  help: 'Put it in as text (textContent, a template that escapes), or escape it for HTML.',
  sources: FROM_OUTSIDE,
  assigned: (member) => MEMBERS.has(member),
  match: (call) => {
    const [first] = call.given;
    if (first === undefined) return NONE;
    if (isApi(call, WRITES)) return [{ value: first, says: 'is written into the page' }];
    if (call.name === 'insertAdjacentHTML') {
      return [{ value: call.given[1] ?? first, says: 'is written into the page' }];
    }
    // Only what was put together can be a page around the data.
    return isApi(call, ANSWERS)
      ? [{ value: first, says: 'is sent as a page', isComposedOnly: true }]
      : NONE;
  },
};

const MEMBERS: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'dangerouslySetInnerHTML']);
const WRITES = /^(?:window\.)?document\.(?:write|writeln)$/;
const ANSWERS = /^response\.(?:send|end|write)$/;
