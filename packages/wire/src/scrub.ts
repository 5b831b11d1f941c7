/**
 * Removes everything from a text that can belong to one person: addresses, hashes, keys, tokens, codes, amounts and the
 * query strings of URLs. What is left says only where the app failed.
 */
export const scrub = (text: string): string =>
  text
    .replace(/[^\x20-\x7e\n]+/g, '…')
    .replace(/\?[^\s):]+/g, '?…')
    .replace(/\b0x[0-9a-f]{4,}/gi, '0x…')
    .replace(/\S+@\S+\.\w+/g, '…')
    .replace(/\b(?=\w*\d)[\w-]{8,}\b(?!\.js|\.css)/g, '…')
    .replace(/\d[\d.,]{3,}\d/g, '#')
    .slice(0, MAX_LENGTH)

const MAX_LENGTH = 600
