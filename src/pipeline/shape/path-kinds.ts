/** Code for trying things out: what it declares is an example of the thing, not the thing. */
const TRIAL =
  /(?:^|\/)(?:examples?|samples?|demos?|benchmarks?|bench|docs?|fixtures?|__fixtures__|playgrounds?|\.storybook)\/|\.(?:stories|bench)\.[cm]?[jt]sx?$/i;
export const isTrialPath = (path: string): boolean => TRIAL.test(path);

/** Types alone: nothing in such a file runs, and what it imports is gone when the program does. */
const DECLARATIONS = /\.d\.(?:[\w-]+\.)?[cm]?ts$|\.pyi$/;
export const isDeclarationFile = (path: string): boolean => DECLARATIONS.test(path);
