// Stands in for node:zlib in hooks and commands, which use nothing of it but this. Loading the real one takes 2.6 ms, and
// most have few and short texts to sum up; whoever has more gets it.

const POLYNOMIAL = 0xedb88320;

/** A word's lowest byte is the text's next one, which is so on nearly all machines. The others get the real one. */
const IS_LOWEST_FIRST = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** What a byte adds, with none to three bytes behind it: four at once take a third of the time of one by one. */
let tables;

function makeTables() {
  const made = [0, 1, 2, 3].map(() => new Int32Array(256));
  const [first, ...others] = made;
  let value = 1;
  for (let bit = 128; bit > 0; bit >>= 1) {
    value = value & 1 ? POLYNOMIAL ^ (value >>> 1) : value >>> 1;
    for (let byte = 0; byte < 256; byte += 2 * bit) first[byte + bit] = value ^ first[byte];
  }
  let before = first;
  for (const table of others) {
    for (let byte = 0; byte < 256; byte += 1) table[byte] = (before[byte] >>> 8) ^ first[before[byte] & 255];
    before = table;
  }
  return made;
}

/** Characters: from here on the real one is faster. */
const MUCH = 65_536;
let summed = 0;

/** `before` is the checksum of what comes before this text. */
exports.crc32 = (text, before = 0) => {
  summed += text.length;
  return summed > MUCH || !IS_LOWEST_FIRST ? require("node:zlib").crc32(text, before) : crc32(text, before);
};

function crc32(text, before) {
  tables ??= makeTables();
  const [first, second, third, fourth] = tables;
  // Allocated apart, it begins where a word may begin.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  const words = new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
  let crc = ~before;
  for (let index = 0; index < words.length; index += 1) {
    crc ^= words[index];
    crc = fourth[crc & 255] ^ third[(crc >>> 8) & 255] ^ second[(crc >>> 16) & 255] ^ first[crc >>> 24];
  }
  for (let index = words.length * 4; index < bytes.length; index += 1)
    crc = first[(crc ^ bytes[index]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
