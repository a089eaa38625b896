/** Texts of the console's page about the signal: the funnel, the times in stages, and figures by outcome and role. */
export const signalTexts = {
  signal: {
    title: 'Signal',
    what: 'the figures',
    none: 'No figures yet',
    noneText: 'Figures come with the first role and its completed assessments.',
    total: 'All roles',
    asOf: 'As of',
    now: 'now',
    endOf: (date: string) => `the end of ${date}`,
    funnel: 'From assessment to hire',
    step: 'Step',
    count: 'Count',
    ofCompleted: 'Of the completed',
    steps: {
      completed: 'Completed',
      recorded: 'Outcome recorded',
      passed: 'Passed human round',
      hired: 'Hired',
    },
    stages: {
      title: 'Time in each stage',
      what: 'the times',
      text: 'How long applications take from each stage to the next, beginning with the invitation.',
      name: 'Stage',
      median: 'Half took at most',
      p90: 'Nine of ten took at most',
      stage: {
        started: 'To the start',
        completed: 'To the completion',
        evaluated: 'To the evaluation',
        decided: 'To the outcome',
      },
      newestOnly: (count: number) => `Of the newest ${count} applications.`,
    },
    outcomes: 'Outcomes',
    outcome: {
      awaiting: 'No outcome yet',
      passed: 'Passed human round',
      failed: 'Failed human round',
      hired: 'Hired',
      declined: 'Declined',
    },
    applications: 'Applications at the moment',
    whatApplications: 'the applications’ statuses',
    scores: 'Scores by outcome',
    showScores: 'Show the distribution',
    whatScores: 'the scores',
    score: 'Score',
    scoresOf: (count: number, isCut: boolean) =>
      isCut ? `The newest ${count} evaluations with a score.` : `All evaluations with a score: ${count}.`,
    perRole: 'Per role',
  },
};

export type SignalTexts = typeof signalTexts;
