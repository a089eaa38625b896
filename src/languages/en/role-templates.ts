import type { RoleTemplateTexts } from './shapes.js';

const process = 'Way of working';

/** The words of the roles that ship. Staff change them as they like. */
export const roleTemplates: RoleTemplateTexts = {
  backend: {
    name: 'Backend engineer',
    description: 'Services, APIs and their data: repair a fault or add a feature, with tests.',
    instructions:
      'Work on the tasks as you would in your team: read the code first, make a change that you can explain, and test it. If you make a compromise, say so in your answer.',
    correctness: {
      name: 'Working code',
      rubric:
        'The change does what the task asks, also for input at the edges and for failures. Tests cover what was changed. Nothing that worked before is broken.',
    },
    process: {
      name: process,
      rubric:
        'Looks for the cause before changing anything. Works in small steps and runs the tests after each. Says what is uncertain and why a solution was chosen.',
    },
    questions: [
      { text: 'How did you find the cause of the fault?', about: 'process' },
      { text: 'Which input could still break your solution?', about: 'correctness' },
      { text: 'What would you change before this runs under ten times the load?', about: 'correctness' },
      { text: 'What did you decide against, and why?', about: 'process' },
    ],
  },
  frontend: {
    name: 'Frontend engineer',
    description: 'User interfaces in the browser: behaviour, accessibility, states that go wrong.',
    instructions:
      'Build what the tasks describe so that everybody can use it: with a keyboard, on a phone, with a slow connection. Choose the simplest design that works, and say what you would refine with more time.',
    correctness: {
      name: 'Working interface',
      rubric:
        'The interface does what the task asks in every state: empty, loading, failed and full. It works by keyboard and with a screen reader. Tests cover its behaviour.',
    },
    process: {
      name: process,
      rubric:
        'Starts from what users do. Works in small steps and looks at the result after each. Explains the trade-off between effort and result.',
    },
    questions: [
      { text: 'How did you check that the page works without a mouse?', about: 'correctness' },
      { text: 'What happens in your solution if a request fails half-way?', about: 'correctness' },
      { text: 'In which order did you build it, and why?', about: 'process' },
      { text: 'Which part would you design differently with another day?', about: 'process' },
    ],
  },
  data: {
    name: 'Data analyst',
    description: 'Questions answered with data: queries, checks of the data, conclusions that hold.',
    instructions:
      'Answer the questions of the tasks with the data that you are given. Check the data before you trust it. Write down your assumptions, and say how sure you are of each answer.',
    correctness: {
      name: 'Sound results',
      rubric:
        'The figures are right and can be computed again from the data. Missing, doubled and wrong records are found and handled. The conclusions follow from the figures.',
    },
    process: {
      name: process,
      rubric:
        'Looks at the data before computing. Checks results in a second way. Names assumptions and limits in words that people without a background in data understand.',
    },
    questions: [
      { text: 'What did you find in the data that surprised you?', about: 'process' },
      { text: 'How did you check that your figures are right?', about: 'correctness' },
      { text: 'Which conclusion are you least sure of, and why?', about: 'correctness' },
      {
        text: 'How would you explain your result to somebody who has one minute?',
        about: 'process',
      },
    ],
  },
  support: {
    name: 'Support engineer',
    description: 'Customers’ problems: narrow them down, solve them, and write answers that help.',
    instructions:
      'The tasks are requests of customers. Find out what is behind each, solve what you can, and write the answer that you would send. If you need to know more, write down what you would ask.',
    correctness: {
      name: 'Solved problem',
      rubric:
        'The cause is found and the solution works. The answer is right and complete, and the customer can follow it without help.',
    },
    process: {
      name: process,
      rubric:
        'Narrows the problem down step by step. Asks what is needed and nothing else. Writes in a friendly and plain way, and hands over what others have to solve with all that they need.',
    },
    questions: [
      { text: 'How did you narrow the problem down?', about: 'process' },
      { text: 'How do you know that your solution works for this customer?', about: 'correctness' },
      { text: 'When would you have handed this request over, and to whom?', about: 'process' },
      { text: 'What would prevent this problem for other customers?', about: 'correctness' },
    ],
  },
};
