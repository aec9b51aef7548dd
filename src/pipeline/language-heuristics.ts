/**
 * Tells the languages of one extension apart by what stands in the text, where people use several
 * of them for real. The first rule that fits decides; without one it is the usual language.
 *
 * Each expression looks for a few words at the start of a line, so that its cost is the text's length.
 */
export const languageByContent = (extension: string, head: string): string | undefined =>
  RULES[extension]?.find(({ sign }) => sign.test(head))?.language;

/** Each extension with each language that its rules may give. */
export const languagesOfRules = (): readonly (readonly [extension: string, language: string])[] =>
  Object.entries(RULES).flatMap(([extension, rules]) =>
    rules.map(({ language }) => [extension, language] as const),
  );

type Rule = { readonly language: string; readonly sign: RegExp };

/** Any of these at the start of a line, after blanks. */
const lines = (language: string, ...forms: readonly RegExp[]): Rule => ({
  language,
  sign: new RegExp(`^[ \\t]*(?:${forms.map((form) => form.source).join('|')})`, 'm'),
});
const anywhere = (language: string, sign: RegExp): Rule => ({ language, sign });

const OBJECTIVE_C = [
  /@(?:interface|implementation|protocol|property|class|end|import)\b/,
  /#[ \t]*import[ \t]+["<]/,
];
const CPP = [
  /(?:inline[ \t]+)?namespace\b[ \t\w:]*\{?[ \t]*$/,
  /using[ \t]+(?:namespace[ \t]+)?\w+(?:::|[ \t]*[=;])/,
  /template[ \t]*</,
  /(?:public|private|protected)[ \t]*:/,
  /(?:enum[ \t]+)?class[ \t]+\w+/,
  /#[ \t]*include[ \t]+<(?:c?std\w+|string|vector|map|set|list|array|deque|tuple|utility|memory|functional|algorithm|optional|variant|iostream|fstream|sstream|ostream|thread|mutex|atomic|chrono|unordered_(?:map|set)|type_traits|string_view)>/,
  /(?:constexpr|friend|virtual|explicit)\b/,
];
const PERL = [
  /use[ \t]+(?:strict|warnings|utf8|v?5|parent|base|lib)\b/,
  /package[ \t]+[\w:]+[ \t]*[;{]/,
];
const RAKU = [/use[ \t]+v6/, /(?:unit[ \t]+)?(?:class|module|grammar|role)[ \t]+[\w:-]+[ \t]*[;{]/];
const PROLOG = [/:-[ \t]*\w/, /[a-z]\w*\([^)\n]{0,200}\)[ \t]*:-/];
const C_LIKE = [/#[ \t]*(?:include|define|ifn?def|pragma)\b/];
const PASCAL = [/\{\$\w+/, /(?:procedure|function|unit|implementation)\b[^\n{]*;/i];
const ASSEMBLY = [
  /\.?(?:globa?l|section|text|data|macro|equ|org|byte|word)\b/i,
  /%(?:macro|define|include)\b/,
];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  '.h': [lines('Objective-C', ...OBJECTIVE_C), lines('C++', ...CPP)],
  '.m': [
    lines('Objective-C', ...OBJECTIVE_C, /#[ \t]*include[ \t]+["<]/),
    lines('Mercury', /:-[ \t]*(?:module|import_module|interface)\b/),
    anywhere(
      'Wolfram Language',
      /\(\*[^]{0,2000}?\*\)|^[A-Z]\w*\[[^\]]*\][ \t]*:?=|BeginPackage\[/m,
    ),
    lines('MATLAB', /%/, /function\b/, /classdef\b/, /(?:end|clear|close all|clc)[ \t]*;?[ \t]*$/),
  ],
  '.mm': [lines('Objective-C++', ...OBJECTIVE_C), anywhere('XML', /^\s*</)],
  '.pl': [
    lines('Raku', ...RAKU),
    lines('Perl', ...PERL, /(?:my|our|sub)[ \t]+[\w$@%(]/),
    lines('Prolog', ...PROLOG),
  ],
  '.pm': [anywhere('X PixMap', /^\/\* XPM \*\//), lines('Raku', ...RAKU), lines('Perl', ...PERL)],
  '.t': [
    lines('Raku', ...RAKU),
    lines('Perl', ...PERL),
    lines('Turing', /(?:var|proc|procedure)[ \t]+\w+[ \t]*:/),
  ],
  '.ts': [anywhere('XML', /^\s*<(?:!DOCTYPE[ \t]+TS|TS[ \t>])/)],
  '.tsx': [anywhere('XML', /^\s*<tileset[ \t>]/)],
  '.inc': [
    anywhere('PHP', /<\?(?:php|=|\s)/),
    lines('C++', ...C_LIKE),
    lines('Pascal', ...PASCAL),
    lines(
      'BitBake',
      /(?:inherit|require)[ \t]+\w/,
      /(?:DEPENDS|SRC_URI|LICENSE|RDEPENDS)\b[^\n=]{0,80}=/,
    ),
    anywhere('HTML', /^\s*<[a-z!]/i),
    lines('Assembly', ...ASSEMBLY),
    lines('SQL', /(?:select|insert|create|drop|alter)[ \t]+\w/i),
  ],
  '.v': [
    lines(
      'Rocq Prover',
      /(?:Require|Lemma|Theorem|Proof|Inductive|Definition|Fixpoint|Section|From)\b/,
    ),
    lines('Verilog', /(?:module[ \t]+\w+[ \t]*[#(;]|endmodule|`(?:timescale|include|define))/),
    lines(
      'V',
      /(?:pub[ \t]+)?fn[ \t]+[\w(]/,
      /module[ \t]+\w+[ \t]*$/,
      /import[ \t]+[\w.]+[ \t]*$/,
    ),
  ],
  '.cls': [
    anywhere('TeX', /\\(?:NeedsTeXFormat|ProvidesClass|LoadClass)\b/),
    lines('VBA', /VERSION[ \t]+[\d.]+[ \t]+CLASS/, /Attribute[ \t]+VB_/),
  ],
  '.frm': [lines('VBA', /VERSION[ \t]+[\d.]+/, /Attribute[ \t]+VB_/)],
  '.d': [
    lines('DTrace', /(?:\w*:){3}\w*/, /(?:BEGIN|END)[ \t]*$/, /#pragma[ \t]+D[ \t]/),
    lines('D', /(?:module|import|unittest|alias|struct|class)\b/),
    lines('Makefile', /[\w./-]+[ \t]*:(?:[ \t]|$)/),
  ],
  '.fs': [
    anywhere(
      'GLSL',
      /^[ \t]*(?:#version\b|precision[ \t]+\w|uniform[ \t]|varying[ \t]|void[ \t]+main)/m,
    ),
    lines('Forth', /:[ \t]+\S/),
  ],
  '.f': [lines('Forth', /:[ \t]+\S+[ \t]/)],
  '.pro': [
    lines(
      'QMake',
      /(?:TEMPLATE|SOURCES|HEADERS|QT|CONFIG|TARGET|INCLUDEPATH|DEFINES)[ \t]*[+*-]?=/,
    ),
    lines('Proguard', /-(?:keep|dont|optimization|assumenosideeffects)/),
    lines('Prolog', ...PROLOG),
    lines('IDL', /(?:pro|function)[ \t]+\w+[ \t]*(?:,|$)/i),
    lines('INI', /\[\w/),
  ],
  '.r': [anywhere('Rebol', /\bREBOL[ \t]*\[/i)],
  '.rs': [anywhere('XML', /^\s*</), lines('RenderScript', /#[ \t]*(?:include|pragma)\b/)],
  '.cs': [anywhere('Smalltalk', /^![\w\s]+methodsFor:/m)],
  '.php': [anywhere('Hack', /<\?hh\b/)],
  '.hh': [anywhere('Hack', /<\?hh\b/)],
  '.asc': [
    anywhere('Public Key', /^-----BEGIN (?:PGP|PUBLIC)/m),
    anywhere('AsciiDoc', /^(?:=+[ \t]|:\w+:|\[\w+)/m),
  ],
  '.gd': [lines('GAP', /(?:Declare\w+|InstallMethod)\(/)],
  '.es': [lines('Erlang', /(?:%|-module\(|main\([^)\n]*\)[ \t]*->)/)],
  '.ex': [lines('Euphoria', /(?:include[ \t]+\w+\.e\b|end[ \t]+(?:if|for|procedure|function)\b)/)],
  '.ml': [lines('Standard ML', /(?:structure|signature|functor)[ \t]+\w+/, /fun[ \t]+\w/)],
  '.mod': [
    anywhere('XML', /^\s*<!ENTITY/m),
    lines('Modula-2', /(?:DEFINITION|IMPLEMENTATION)?[ \t]*MODULE[ \t]+\w/),
    lines('Linux Kernel Module', /[\w./-]+\.ko?\b/),
  ],
  '.l': [
    lines('Common Lisp', /\((?:def\w*|in-package)\b/),
    lines('Roff', /\.[A-Z]{1,2}(?:[ \t]|$)/),
    anywhere('Lex', /^%[%{option]/m),
  ],
  '.lisp': [lines('NewLisp', /\(define[ \t]/)],
  '.sc': [lines('SuperCollider', /\^?(?:this|super)\./, /[+]\w+[ \t]*\{/)],
  '.sol': [anywhere('Gerber Image', /^(?:[DGMT]\d\d|%)/m)],
  '.spec': [lines('Ruby', /(?:describe|require)\b/), lines('Python', /a[ \t]*=[ \t]*Analysis\(/)],
  '.st': [lines('StringTemplate', /(?:group|delimiters)\b/)],
  '.yy': [anywhere('JSON', /^\s*\{/)],
  '.tpl': [
    anywhere('Go Template', /\{\{-?[ \t]*(?:\.|if|range|with|include|define|end|template|\$|\/\*)/),
  ],
  '.properties': [anywhere('INI', /^[ \t]*\[[^\]\n]+\][ \t]*$/m)],
  '.plist': [
    anywhere('XML Property List', /<(?:\?xml|!DOCTYPE)/),
    anywhere('OpenStep Property List', /^\s*[{(]/),
  ],
  '.cfg': [lines('HAProxy', /(?:frontend|backend|listen)[ \t]+\w/, /(?:global|defaults)[ \t]*$/)],
  '.vhost': [lines('Nginx', /server[ \t]*\{/)],
  '.txt': [anywhere('Adblock Filter List', /^\[Adblock/)],
  '.cl': [lines('OpenCL', /(?:__)?kernel[ \t]/, /\/\*/, /#[ \t]*(?:include|define|pragma)/)],
  '.as': [lines('ActionScript', /package\b/, /(?:public|private|import)[ \t]/)],
  '.re': [lines('C++', ...C_LIKE, ...CPP)],
  '.tst': [lines('GAP', /gap>/)],
  '.pp': [lines('Pascal', ...PASCAL), lines('Pascal', /end\./)],
  '.bb': [lines('Clojure', /\((?:ns|def\w*)\b/)],
  '.workflow': [anywhere('XML', /^\s*</)],
  '.bs': [anywhere('Bikeshed', /^<pre class=(?:'|")?metadata/m)],
};
