import { ANY_SOURCE, isApi, NONE, type SinkRule } from './sink.ts';

export const codeInjection: SinkRule = {
  id: 'flow-code-injection',
  category: 'code-injection',
  lens: 'security',
  severity: 'high',
  confidence: 'high',
  message: 'Data from outside is run as code',
  help: 'Do without: look values up in an object, parse JSON, or interpret a small language of your own.',
  sources: ANY_SOURCE,
  match: (call) => {
    const { given, isNew } = call;
    if (isApi(call, FUNCTION)) {
      return given.map((value) => ({ value, says: 'becomes the code of a function' }));
    }
    const [first] = given;
    if (first === undefined) return NONE;
    if (isApi(call, EVALUATES)) return [{ value: first, says: 'is run as code' }];
    // What is called later is a function, unless something was put together.
    if (isApi(call, LATER)) return [{ value: first, says: 'is run as code', isComposedOnly: true }];
    return isNew && isApi(call, SCRIPT) ? [{ value: first, says: 'is run as code' }] : NONE;
  },
};

const FUNCTION = /^(?:window\.|global\.|globalThis\.)?Function$/;
const EVALUATES =
  /^(?:(?:window\.|global\.|globalThis\.)?eval|vm2?\.(?:runInThisContext|runInNewContext|runInContext|compileFunction|VM\(\)\.run)|static-eval|safe-eval|eval|require-from-string|node-eval|module\._compile)$/;
const LATER = /^(?:window\.)?(?:setTimeout|setInterval|setImmediate|execScript)$/;
const SCRIPT = /^vm2?\.(?:Script|VMScript)$/;
