// A machine's own certificates are read at each start of Node, which takes longer than all else about that start. Tests
// start thousands of processes and reach nothing outside; only npm does, where it fetches what tests need.

const KEPT = "TESTS_CA_CERTS";

/** For this process and all that it starts. */
export function leaveCertificatesOut(): void {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (file === undefined) return;
  process.env[KEPT] = file;
  delete process.env.NODE_EXTRA_CA_CERTS;
}

/** For a process that reaches a registry. */
export function withCertificates(): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const file = process.env[KEPT];
  return { ...Object.fromEntries(inherited), ...(file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file }) };
}
