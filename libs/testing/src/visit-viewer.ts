/** What a browser gets that opens an address of `claude-mem open`: the document, and the script that it names. */
export async function visitViewer(address: string): Promise<{ html: string; script: string }> {
  const signedIn = await fetch(address, { redirect: 'manual' });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const read = async (path: string) => {
    const answer = await fetch(new URL(path, address), { headers: { cookie, accept: 'text/html,*/*' } });
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.text();
  };
  const html = await read('/');
  return { html, script: await read(/<script [^>]*src="([^"]+)"/.exec(html)?.[1] ?? '/no-script') };
}
