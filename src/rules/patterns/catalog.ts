import { csharpArchivePaths } from './csharp/archive-paths.ts';
import { csharpCipherMode } from './csharp/cipher-mode.ts';
import { csharpDisabledTls } from './csharp/disabled-tls.ts';
import { csharpExternalEntities } from './csharp/external-entities.ts';
import { csharpGuessableToken } from './csharp/guessable-token.ts';
import { csharpHtmlFromRequest } from './csharp/html-from-request.ts';
import { csharpInsecureCookie } from './csharp/insecure-cookie.ts';
import { csharpNamedTypes } from './csharp/named-types.ts';
import { csharpOpenRedirect } from './csharp/open-redirect.ts';
import { csharpPathFromRequest } from './csharp/path-from-request.ts';
import { csharpRequestToAddress } from './csharp/request-to-address.ts';
import { csharpShellCommand } from './csharp/shell-command.ts';
import { csharpSqlCommandText } from './csharp/sql-command-text.ts';
import { csharpSqlText } from './csharp/sql-text.ts';
import { csharpUnsafeFormatter } from './csharp/unsafe-formatter.ts';
import { csharpWeakCipher } from './csharp/weak-cipher.ts';
import { csharpWeakPasswordHash } from './csharp/weak-password-hash.ts';
import { goArchivePaths } from './go/archive-paths.ts';
import { goDisabledTls } from './go/disabled-tls.ts';
import { goGuessableToken } from './go/guessable-token.ts';
import { goHtmlFromRequest } from './go/html-from-request.ts';
import { goInsecureCookie } from './go/insecure-cookie.ts';
import { goJwtUnverified } from './go/jwt-unverified.ts';
import { goOpenRedirect } from './go/open-redirect.ts';
import { goPathFromRequest } from './go/path-from-request.ts';
import { goRequestToAddress } from './go/request-to-address.ts';
import { goShellCommand } from './go/shell-command.ts';
import { goSqlText } from './go/sql-text.ts';
import { goWeakCipher } from './go/weak-cipher.ts';
import { goWeakPasswordHash } from './go/weak-password-hash.ts';
import { javaArchivePaths } from './java/archive-paths.ts';
import { javaExternalEntities } from './java/external-entities.ts';
import { javaGuessableToken } from './java/guessable-token.ts';
import { javaHtmlFromRequest } from './java/html-from-request.ts';
import { javaInsecureCookie } from './java/insecure-cookie.ts';
import { javaObjectInput } from './java/object-input.ts';
import { javaOpenRedirect } from './java/open-redirect.ts';
import { javaPathFromRequest } from './java/path-from-request.ts';
import { javaRequestToAddress } from './java/request-to-address.ts';
import { javaScriptFromData } from './java/script-from-data.ts';
import { javaShellCommand } from './java/shell-command.ts';
import { javaSqlText } from './java/sql-text.ts';
import { javaTrustsEverybody } from './java/trusts-everybody.ts';
import { javaWeakCipher } from './java/weak-cipher.ts';
import { javaWeakPasswordHash } from './java/weak-password-hash.ts';
import { javascriptConstantNonce } from './javascript/constant-nonce.ts';
import { javascriptDisabledTls } from './javascript/disabled-tls.ts';
import { javascriptExternalEntities } from './javascript/external-entities.ts';
import { javascriptGuessableToken } from './javascript/guessable-token.ts';
import { javascriptInsecureCookie } from './javascript/insecure-cookie.ts';
import { javascriptJwtUnverified } from './javascript/jwt-unverified.ts';
import { javascriptKeyInCode } from './javascript/key-in-code.ts';
import { javascriptMessageToAnybody } from './javascript/message-to-anybody.ts';
import { javascriptOpenCors } from './javascript/open-cors.ts';
import { javascriptOpenRedirect } from './javascript/open-redirect.ts';
import { javascriptOpenWindow } from './javascript/open-window.ts';
import { javascriptRequestToAddress } from './javascript/request-to-address.ts';
import { javascriptWeakCipher } from './javascript/weak-cipher.ts';
import { javascriptWeakPasswordHash } from './javascript/weak-password-hash.ts';
import { phpBackticks } from './php/backticks.ts';
import { phpDisabledTls } from './php/disabled-tls.ts';
import { phpDynamicCode } from './php/dynamic-code.ts';
import { phpExternalEntities } from './php/external-entities.ts';
import { phpGuessableToken } from './php/guessable-token.ts';
import { phpHtmlFromRequest } from './php/html-from-request.ts';
import { phpIncludedFromRequest } from './php/included-from-request.ts';
import { phpOpenRedirect } from './php/open-redirect.ts';
import { phpPathFromRequest } from './php/path-from-request.ts';
import { phpShellCommand } from './php/shell-command.ts';
import { phpSqlText } from './php/sql-text.ts';
import { phpUnserialize } from './php/unserialize.ts';
import { phpWeakCipher } from './php/weak-cipher.ts';
import { phpWeakPasswordHash } from './php/weak-password-hash.ts';
import { pythonArchivePaths } from './python/archive-paths.ts';
import { pythonDebugServer } from './python/debug-server.ts';
import { pythonDisabledTls } from './python/disabled-tls.ts';
import { pythonDynamicCode } from './python/dynamic-code.ts';
import { pythonExternalEntities } from './python/external-entities.ts';
import { pythonGuessableToken } from './python/guessable-token.ts';
import { pythonInsecureCookie } from './python/insecure-cookie.ts';
import { pythonJwtUnverified } from './python/jwt-unverified.ts';
import { pythonOpenRedirect } from './python/open-redirect.ts';
import { pythonPathFromRequest } from './python/path-from-request.ts';
import { pythonRequestToAddress } from './python/request-to-address.ts';
import { pythonShellCommand } from './python/shell-command.ts';
import { pythonSqlText } from './python/sql-text.ts';
import { pythonTemplateFromData } from './python/template-from-data.ts';
import { pythonTemplateUnescaped } from './python/template-unescaped.ts';
import { pythonTemporaryName } from './python/temporary-name.ts';
import { pythonUnsafePickle } from './python/unsafe-pickle.ts';
import { pythonUnsafeYaml } from './python/unsafe-yaml.ts';
import { pythonWeakCipher } from './python/weak-cipher.ts';
import { pythonWeakPasswordHash } from './python/weak-password-hash.ts';
import { rubyBackticks } from './ruby/backticks.ts';
import { rubyCsrfOff } from './ruby/csrf-off.ts';
import { rubyDisabledTls } from './ruby/disabled-tls.ts';
import { rubyDynamicCode } from './ruby/dynamic-code.ts';
import { rubyGuessableToken } from './ruby/guessable-token.ts';
import { rubyHtmlFromRequest } from './ruby/html-from-request.ts';
import { rubyJwtUnverified } from './ruby/jwt-unverified.ts';
import { rubyMassAssignment } from './ruby/mass-assignment.ts';
import { rubyOpenRedirect } from './ruby/open-redirect.ts';
import { rubyPathFromRequest } from './ruby/path-from-request.ts';
import { rubyRequestToAddress } from './ruby/request-to-address.ts';
import { rubyShellCommand } from './ruby/shell-command.ts';
import { rubySqlText } from './ruby/sql-text.ts';
import { rubyUnsafeLoad } from './ruby/unsafe-load.ts';
import { rubyWeakCipher } from './ruby/weak-cipher.ts';
import { rubyWeakPasswordHash } from './ruby/weak-password-hash.ts';
import type { PatternRule } from './pattern-rule.ts';

/** All rules that look at one place, by language and name. */
export const PATTERN_RULES: readonly PatternRule[] = [
  csharpArchivePaths,
  csharpCipherMode,
  csharpDisabledTls,
  csharpExternalEntities,
  csharpGuessableToken,
  csharpHtmlFromRequest,
  csharpInsecureCookie,
  csharpNamedTypes,
  csharpOpenRedirect,
  csharpPathFromRequest,
  csharpRequestToAddress,
  csharpShellCommand,
  csharpSqlCommandText,
  csharpSqlText,
  csharpUnsafeFormatter,
  csharpWeakCipher,
  csharpWeakPasswordHash,
  goArchivePaths,
  goDisabledTls,
  goGuessableToken,
  goHtmlFromRequest,
  goInsecureCookie,
  goJwtUnverified,
  goOpenRedirect,
  goPathFromRequest,
  goRequestToAddress,
  goShellCommand,
  goSqlText,
  goWeakCipher,
  goWeakPasswordHash,
  javaArchivePaths,
  javaExternalEntities,
  javaGuessableToken,
  javaHtmlFromRequest,
  javaInsecureCookie,
  javaObjectInput,
  javaOpenRedirect,
  javaPathFromRequest,
  javaRequestToAddress,
  javaScriptFromData,
  javaShellCommand,
  javaSqlText,
  javaTrustsEverybody,
  javaWeakCipher,
  javaWeakPasswordHash,
  javascriptConstantNonce,
  javascriptDisabledTls,
  javascriptExternalEntities,
  javascriptGuessableToken,
  javascriptInsecureCookie,
  javascriptJwtUnverified,
  javascriptKeyInCode,
  javascriptMessageToAnybody,
  javascriptOpenCors,
  javascriptOpenRedirect,
  javascriptOpenWindow,
  javascriptRequestToAddress,
  javascriptWeakCipher,
  javascriptWeakPasswordHash,
  phpBackticks,
  phpDisabledTls,
  phpDynamicCode,
  phpExternalEntities,
  phpGuessableToken,
  phpHtmlFromRequest,
  phpIncludedFromRequest,
  phpOpenRedirect,
  phpPathFromRequest,
  phpShellCommand,
  phpSqlText,
  phpUnserialize,
  phpWeakCipher,
  phpWeakPasswordHash,
  pythonArchivePaths,
  pythonDebugServer,
  pythonDisabledTls,
  pythonDynamicCode,
  pythonExternalEntities,
  pythonGuessableToken,
  pythonInsecureCookie,
  pythonJwtUnverified,
  pythonOpenRedirect,
  pythonPathFromRequest,
  pythonRequestToAddress,
  pythonShellCommand,
  pythonSqlText,
  pythonTemplateFromData,
  pythonTemplateUnescaped,
  pythonTemporaryName,
  pythonUnsafePickle,
  pythonUnsafeYaml,
  pythonWeakCipher,
  pythonWeakPasswordHash,
  rubyBackticks,
  rubyCsrfOff,
  rubyDisabledTls,
  rubyDynamicCode,
  rubyGuessableToken,
  rubyHtmlFromRequest,
  rubyJwtUnverified,
  rubyMassAssignment,
  rubyOpenRedirect,
  rubyPathFromRequest,
  rubyRequestToAddress,
  rubyShellCommand,
  rubySqlText,
  rubyUnsafeLoad,
  rubyWeakCipher,
  rubyWeakPasswordHash,
];
