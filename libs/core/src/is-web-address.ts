/**
 * Checks for an absolute HTTP address of a service. It has no user name or password, which errors would quote, and no
 * query or fragment.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}
