import { existsSync, statfsSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join, sep } from "node:path";
import { type Finding, warning } from "../upkeep/integrity-check.js";
import { hasModes } from "./real-path.js";
import { filesOf, hasFreeFiles, OTHERS, stat } from "./store-files.js";

/** The place of the file, as far as it can hurt: who can read it, and who else writes it. */
export function inspectSurroundings(path: string): readonly Finding[] {
  return [...inspectRights(path), ...inspectRoom(path), ...inspectFolder(dirname(path))];
}

function inspectRoom(path: string): readonly Finding[] {
  if (hasFreeFiles(path)) return [];
  const advice = "Nothing can be written until some files there are deleted.";
  return [warning("no-inodes", `The disk of ${path} has no inodes left. ${advice}`)];
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

function inspectRights(path: string): readonly Finding[] {
  const findings: Finding[] = [];
  const folder = stat(dirname(path));
  if (hasModes() && folder && (folder.mode & WRITABLE_BY_OTHERS) !== 0 && (folder.mode & STICKY) === 0)
    findings.push(warning("open-folder", `Other users can write to ${dirname(path)}: they could replace the store.`));
  for (const file of filesOf(path)) {
    const found = stat(file);
    if (hasModes() && found && (found.mode & OTHERS) !== 0)
      findings.push(
        warning("open-file", `Other users can read or write ${file}. Milepost makes it private when it next opens it.`),
      );
  }
  if ((stat(path)?.nlink ?? 1) > 1)
    findings.push(warning("hard-link", `${path} has a hard link: the file elsewhere changes with it.`));
  return findings;
}

/** Kinds of Linux file systems that live on another machine, by the number they give themselves. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
  [0x5346414f, "AFS"],
  [0x47504653, "GPFS"],
  [0x0bd00bd0, "Lustre"],
  [0x00c36400, "Ceph"],
]);

const SYNCED =
  /^(?:dropbox|onedrive.*|google ?drive|my drive|icloud ?drive|mobile documents|cloudstorage|nextcloud|owncloud|syncthing|pcloud ?drive|megasync)$/i;

function inspectFolder(folder: string): readonly Finding[] {
  const findings: Finding[] = [];
  const network = networkOf(folder);
  if (network)
    findings.push(
      warning(
        "network-folder",
        `${folder} is on a network file system (${network}). SQLite's locks do not work there: use a local folder, or postgres:// for several machines.`,
      ),
    );
  const parts = folder.split(sep);
  const isSynced =
    parts.some((part) => SYNCED.test(part)) ||
    parts.some((_, end) => existsSync(join(parts.slice(0, end + 1).join(sep) || sep, ".stfolder")));
  if (isSynced)
    findings.push(
      warning(
        "synced-folder",
        `${folder} looks like a synchronised folder: the store may be copied in the middle of a write. Use a folder that stays on this machine.`,
      ),
    );
  return findings;
}

function networkOf(folder: string): string | undefined {
  if (platform() === "win32") return folder.startsWith("\\\\") ? "a share" : undefined;
  if (platform() !== "linux") return undefined;
  try {
    return NETWORK.get(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
