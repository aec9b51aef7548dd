import { children, keyName, unwrapped } from '../ast.ts';
import { FROM_OUTSIDE, isApi, NONE, type SinkCall, type SinkRule } from './sink.ts';

export const pathTraversal: SinkRule = {
  id: 'flow-path-traversal',
  category: 'path-traversal',
  lens: 'security',
  severity: 'high',
  confidence: 'medium',
  message: 'Data from outside names a file, and may lead out of the folder that is meant',
  help: 'Resolve the path and check that it begins with the folder and a separator, before it is opened.',
  sources: FROM_OUTSIDE,
  match: (call) => {
    const [first] = call.given;
    if (first === undefined) return NONE;
    if (isApi(call, OPENS)) return [{ value: first, says: 'names the file that is opened' }];
    if (isApi(call, SENDS) && !hasRoot(call)) {
      return [{ value: first, says: 'names the file that is sent' }];
    }
    return NONE;
  },
};

const OPENS =
  /^fs\.(?:readFile|readFileSync|createReadStream|open|openSync|readdir|readdirSync|writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync|unlink|unlinkSync|rm|rmSync|rmdir|rmdirSync|remove|removeSync|outputFile|readJson|readJSON|opendir)$/;
const SENDS = /^response\.(?:sendFile|sendfile|download)$/;

/** With a root of its own, `sendFile` lets no path out of it. */
const hasRoot = ({ nodes }: SinkCall): boolean =>
  nodes.some((node) => {
    const plain = node && unwrapped(node);
    return (
      plain?.type === 'ObjectExpression' &&
      children(plain, 'properties').some((one) => one !== undefined && keyName(one) === 'root')
    );
  });
