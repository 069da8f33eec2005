/**
 * Creates a UUID version 7 (RFC 9562) for a time. UUIDs sort by time across machines and are unique within one.
 * @param epochMs the time of the record, so that imports keep their order
 */
export function uuidV7(epochMs: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(epochMs / 2 ** 32));
  view.setUint32(2, epochMs % 2 ** 32);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
