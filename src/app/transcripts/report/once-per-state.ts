/**
 * A report of a part of a session, made once for as long as that part and the work under it are the same: whoever
 * follows a thousand sessions looks at all of them again and again, and the same object tells that nothing has changed.
 */
export function oncePerState<Part extends object, Work, Report>(
  report: (part: Part, work: Work) => Report,
): (part: Part, work: Work) => Report {
  const known = new WeakMap<Part, { readonly work: Work; readonly report: Report }>();
  return (part, work) => {
    const before = known.get(part);
    if (before?.work === work) return before.report;
    const made = report(part, work);
    known.set(part, { work, report: made });
    return made;
  };
}
