/** Things in the order they came, each once. */
export class Places<Thing> {
  readonly all: Thing[] = [];

  of(thing: Thing): number {
    const known = this.all.indexOf(thing);
    return known >= 0 ? known : this.all.push(thing) - 1;
  }
}
