/** An HTTP address without a name and a password in it: vendors' packages quote it in their errors. */
export function isUsableAddress(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
