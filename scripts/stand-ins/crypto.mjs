// Stands in for node:crypto where a short text is hashed and nothing else: Node takes 6 ms to load the real one.

const WORDS = 64;

/** The first 32 bits of what follows the point in the roots of the first primes. */
function rootsOfPrimes(count, exponent) {
  const roots = [];
  for (let number = 2; roots.length < count; number += 1) {
    if (Array.from({ length: number }, (_, at) => at).some((divisor) => divisor > 1 && number % divisor === 0))
      continue;
    roots.push(((number ** exponent % 1) * 2 ** 32) | 0);
  }
  return roots;
}

/** As FIPS 180-4 has it. */
function sha256(bytes) {
  const constants = rootsOfPrimes(WORDS, 1 / 3);
  const hash = rootsOfPrimes(8, 1 / 2);
  const padded = Buffer.alloc((((bytes.length + 8) >> 6) + 1) * WORDS);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(bytes.length) * 8n, padded.length - 8);
  for (let at = 0; at < padded.length; at += WORDS) addBlock(hash, constants, padded.subarray(at, at + WORDS));
  const digest = Buffer.alloc(32);
  for (const [at, word] of hash.entries()) digest.writeInt32BE(word, at * 4);
  return digest;
}

function addBlock(hash, constants, block) {
  const words = Array.from({ length: 16 }, (_, at) => block.readInt32BE(at * 4));
  for (let at = 16; at < WORDS; at += 1) {
    const [early, late] = [words[at - 15], words[at - 2]];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[at - 16] + first + words[at - 7] + second) | 0);
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let at = 0; at < WORDS; at += 1) {
    const high =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[at] + words[at]) | 0;
    const low = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + high) | 0, c, b, a, (high + low) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at] + word) | 0;
}

function turned(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/** Only what we use of it: `createHash("sha256").update(text).digest("hex")`. */
export function createHash(kind) {
  if (kind !== "sha256") return require("node:crypto").createHash(kind);
  let bytes = Buffer.alloc(0);
  const hash = {
    update(text) {
      bytes = Buffer.concat([bytes, Buffer.from(text)]);
      return hash;
    },
    digest: (form) => (form === undefined ? sha256(bytes) : sha256(bytes).toString(form)),
  };
  return hash;
}
