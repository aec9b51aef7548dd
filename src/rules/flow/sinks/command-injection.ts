import { child, children, keyName, unwrapped } from '../ast.ts';
import { memberOf } from '../members.ts';
import { ANY_SOURCE, isApi, NONE, type SinkCall, type SinkRule } from './sink.ts';

export const commandInjection: SinkRule = {
  id: 'flow-command-injection',
  category: 'command-injection',
  lens: 'security',
  severity: 'high',
  confidence: 'high',
  message: 'Data from outside becomes part of a command for a shell',
  help: 'Start the program without a shell (execFile, spawn) and give the data as arguments of its own, after `--`.',
  sources: ANY_SOURCE,
  match: (call) => {
    const [first, second] = call.given;
    if (first === undefined) return NONE;
    if (isApi(call, SHELL_CALLS)) return [{ value: first, says: 'is run by a shell' }];
    if (!isApi(call, PROGRAM_CALLS)) return NONE;
    if (hasShell(call)) {
      return [
        { value: first, says: 'is run by a shell' },
        ...(second === undefined
          ? []
          : [{ value: anyOf(second, call.line), says: 'is run by a shell' }]),
      ];
    }
    if (/^(?:.*\/)?(?:ba|z|k|da)?sh$|^cmd(?:\.exe)?$|^powershell/.test(call.texts[0] ?? '')) {
      return second === undefined
        ? NONE
        : [{ value: anyOf(second, call.line), says: 'is run by a shell' }];
    }
    return NONE;
  },
};

const SHELL_CALLS =
  /^(?:child_process\.exec(?:Sync|Async)?|child_process\.default\.exec|shelljs\.exec|shelljs\/global\.exec|execa\.(?:command|commandSync|shell|shellSync|execaCommand|execaCommandSync)|node-cmd\.(?:get|run|runSync)|ssh2?-exec|Bun\.spawnSync)$/;
const PROGRAM_CALLS =
  /^(?:child_process\.(?:spawn|spawnSync|execFile|execFileSync|execFileAsync)|execa(?:\.(?:sync|execa|execaSync|node))?|child_process\.spawn\.(?:sync|spawn))$/;

/** `{ shell: true }` among the options. */
const hasShell = ({ nodes }: SinkCall): boolean =>
  nodes.some((node) => {
    const plain = node && unwrapped(node);
    if (plain?.type !== 'ObjectExpression') return false;
    return children(plain, 'properties').some((property) => {
      if (property === undefined || keyName(property) !== 'shell') return false;
      const value = child(property, 'value');
      return value?.type === 'Literal' ? value['value'] !== false && value['value'] !== null : true;
    });
  });

const anyOf = (value: SinkCall['self'], line: number): SinkCall['self'] => {
  const parts = [...value.things].flatMap((thing) => [thing.rest, ...thing.fields.values()]);
  const found = parts.find(({ taints }) => taints.size > 0);
  return found ?? memberOf(value, '0', line);
};
