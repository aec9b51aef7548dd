/** A route under the path of what holds it: one slash between, one before, none after. */
export const joinPath = (prefix: string, path: string): string => {
  const parts = [prefix, path].map((part) => part.replace(/^\/+|\/+$/g, ''));
  return `/${parts.filter((part) => part !== '').join('/')}`;
};
