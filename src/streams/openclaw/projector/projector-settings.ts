import { isTagVisible, type OpenclawConfig, streamConfig } from "../tag-visibility.js";

const OUTPUT = { usual: 24_000, least: 1, most: 500_000 };
const UPDATE = { usual: 320, least: 64, most: 8000 };

export interface OpenclawProjectorOptions {
  readonly config?: OpenclawConfig | undefined;
  /** Titles of commands are shown, too. */
  readonly fullDetails?: boolean | undefined;
}

export interface ProjectorSettings {
  /** Else all is held until the turn ends. */
  readonly isLive: boolean;
  readonly hidesRepeats: boolean;
  readonly fullDetails: boolean;
  /** UTF-16 units of the answer, of the whole turn. */
  readonly outputMax: number;
  /** UTF-16 units of a summary or status line. */
  readonly updateMax: number;
  isVisible(tag: unknown): boolean;
}

export function projectorSettings({ config, fullDetails }: OpenclawProjectorOptions): ProjectorSettings {
  const stream = streamConfig(config);
  return {
    isLive: stream.deliveryMode === "live",
    hidesRepeats: stream.repeatSuppression !== false,
    fullDetails: fullDetails === true,
    outputMax: limit(stream.maxOutputChars, OUTPUT),
    updateMax: limit(stream.maxSessionUpdateChars, UPDATE),
    isVisible: (tag) => isTagVisible(config, tag),
  };
}

function limit(value: unknown, { usual, least, most }: typeof OUTPUT): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return usual;
  return Math.min(most, Math.max(least, Math.floor(value)));
}
