import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonDebugServer: CallRule = {
  ...SECURITY,
  id: 'python-debug-server',
  category: 'debug-enabled',
  severity: 'medium',
  confidence: 'high',
  message: 'The debugger of the development server runs code for whoever reaches it.',
  help: 'Take debug from the environment, and serve with gunicorn or the like.',
  language: 'python',
  looksAt: 'calls',
  names: ['run', 'run_simple'],
  judge: (call, file) =>
    call.named('debug')?.text() === 'True' || call.named('use_debugger')?.text() === 'True'
      ? /\b(?:flask|Flask|bottle|werkzeug|dash|Sanic|aiohttp)\b/.test(file.text)
        ? 'defect'
        : undefined
      : undefined,
};
