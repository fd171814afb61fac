// Dialogs as the real clients draw them in 120 columns (Claude Code 2.1.325, Codex 0.166.0), the rules shortened.

const RULE = "─".repeat(60);
const DASHES = "╌".repeat(60);

export const SCREENS = {
  claudeQuestion: `
❯ Ask me.
${RULE}
 ☐ Column

│ Drop the
│ column?

❯ 1. Now
     At once
  2. Later, with care
     With the next release
  3. Never
     Keep it for good
  4. Type something.
${RULE}
  5. Chat about this

Enter to select · ↑/↓ to navigate · Esc to cancel
`,
  claudePermission: `
● Scripted
  ⎿  $ touch made

${RULE}
 Bash command
 Tip: auto mode handles these prompts for you — choose "switch to auto mode" below
 scripted
${DASHES}
 touch made &&
 echo more
${DASHES}
 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access to /home/me/project from this
      project
   3. No

 Esc to cancel · Tab to amend
`,
  codexQuestion: `
› Ask me.

  Question 1/1 (1 unanswered)
  Drop the column?

    1. Now                At once
  › 2. Later, with care   With the next release
    3. Never              Keep it for good
    4. None of the above  Optionally, add details in notes (tab)

  tab to add notes | enter to submit answer | esc to interrupt
`,
  codexPermission: `
• Running touch made

  Would you like to run the following command?

  Environment: local

  Reason: A file?

  $ touch made

› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel
`,
} as const;
