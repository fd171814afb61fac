import type { PortableTask } from "./portable-task.js";

/** `path` is relative to the folder that was named, with `/`; or the file's own name. */
export interface TaskFile {
  readonly path: string;
  readonly text: string;
}

/** What could not be taken, and where it stands ("line 12", "3.json"). Nothing is dropped in silence. */
export interface Problem {
  readonly where: string;
  readonly message: string;
}

/** Takes messages about one place. */
export type Tell = (message: string) => void;

/** The list of ours that a file was written from. Numbers up to `highest` are ids of that list. */
export interface HomeList {
  readonly list: string;
  readonly highest: number;
}

export interface ReadTasks {
  readonly tasks: readonly PortableTask[];
  readonly problems: readonly Problem[];
  readonly home?: HomeList | undefined;
}

export interface WrittenTasks {
  readonly files: readonly TaskFile[];
  readonly problems: readonly Problem[];
  /** How many tasks the format has no place for at all. Each is a problem too. */
  readonly leftOut?: number;
}

export interface WriteOptions {
  /** The highest number that was ever given, to tasks that are gone too. */
  readonly lastNumber?: number;
  /** The list they come from. */
  readonly list?: string;
}

/** One way in which others keep tasks. Nothing here throws, whatever the files hold. */
export interface TaskFormat {
  readonly name: string;
  readonly summary: string;
  readonly kind: "file" | "folder";
  /** Which files of a folder belong to it. Others need not be read. */
  isPart?(path: string): boolean;
  recognises(files: readonly TaskFile[]): boolean;
  /** A damaged line or file is one problem; everything else is read. */
  read(files: readonly TaskFile[]): ReadTasks;
  /** Its files tell the list they were written from, and call its tasks by their numbers. */
  readonly hasHome?: boolean;
  /** Ids that the format cannot hold become others, everywhere. Circles and self edges are written as they are. */
  write(tasks: readonly PortableTask[], options?: WriteOptions): WrittenTasks;
  /** The highest number that its files know of, where numbers must not come again. */
  lastNumber?(files: readonly TaskFile[]): number;
}
