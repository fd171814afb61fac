// Stands in for node:zlib in hooks and commands, which use nothing of it but this. Loading the real one takes 2.6 ms, and
// most have few and short texts to sum up; whoever has more gets it.

const POLYNOMIAL = 0xedb88320;

/** By half bytes: a table that is filled in no time. */
const TABLE = Int32Array.from({ length: 16 }, (_, half) => {
  let value = half;
  for (let bit = 0; bit < 4; bit += 1) value = value & 1 ? POLYNOMIAL ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Characters: from here on the real one is faster. */
const MUCH = 65_536;
let summed = 0;

/** `before` is the checksum of what comes before this text. */
exports.crc32 = (text, before = 0) => {
  summed += text.length;
  return summed > MUCH ? require("node:zlib").crc32(text, before) : crc32(text, before);
};

function crc32(text, before) {
  const bytes = Buffer.from(text);
  let crc = ~before;
  for (let index = 0; index < bytes.length; index += 1) {
    crc ^= bytes[index];
    crc = TABLE[crc & 15] ^ (crc >>> 4);
    crc = TABLE[crc & 15] ^ (crc >>> 4);
  }
  return ~crc >>> 0;
}
