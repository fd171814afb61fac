/** One waits, others wake it. A signal set while nobody waits is not lost. */
export class WakeSignal {
  #isSet = false;
  #answer: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#answer?.();
  }

  /** Until it is set, or this much time has passed. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#answer = undefined;
    }
    this.#isSet = false;
  }
}
