import { FROM_CALLERS, isApi, NONE, type SinkRule } from './sink.ts';

export const unsafeDeserialization: SinkRule = {
  id: 'flow-unsafe-deserialization',
  category: 'unsafe-deserialization',
  lens: 'security',
  severity: 'high',
  confidence: 'medium',
  message: 'Data from outside is turned into objects by a reader that can run code',
  help: 'Read JSON, or use a reader that makes plain data only.',
  sources: FROM_CALLERS,
  match: (call) => {
    const [first] = call.given;
    if (first === undefined || !isApi(call, READERS)) return NONE;
    return [{ value: first, says: 'is turned into objects' }];
  },
};

const READERS =
  /^(?:node-serialize\.unserialize|serialize-to-js\.deserialize|funcster\.deepDeserialize|cryo\.parse|v8\.deserialize|php-unserialize\.unserialize)$/;
