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
    ticket: {
      title: 'The last order is missing',
      description: [
        '`node statement.mjs < orders.csv` prints what each customer owes. Some customers say that their last order is not part of it.',
        '1. Find the cause and repair it, with a test that failed before.\n2. Some orders come from a spreadsheet: the lines of its files end with CRLF, and empty lines may follow. The statement has to be right for them too.\n3. A customer whose orders come to more than 100.00 in all gets 5 % off the whole sum. Half a cent is rounded up.',
        '`node --test` runs the tests; you need no packages. Say in `NOTES.md`, in a few sentences, what caused the fault, and what you left open.',
      ].join('\n\n'),
    },
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
    ticket: {
      title: 'A search that people can rely on',
      description: [
        'The page in `index.html` searches a shop’s articles while somebody types. `articles.mjs` stands for a service that is slow and sometimes gives no answer: leave it as it is. To see the page, serve the folder, such as by `python3 -m http.server`.',
        '1. Show which state the search is in: nothing typed, searching, found, nothing found, and failed, with a way to try again.\n2. An answer to what was typed earlier must not replace the answer to what is in the field now.\n3. Let people go through what was found by keyboard, and let a screen reader say how much was found.\n4. Make it work on a phone that is 320 pixels wide.',
        'Say in `NOTES.md`, in a few sentences, how you tried it, and what you would refine with more time.',
      ].join('\n\n'),
    },
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
    ticket: {
      title: 'Which customers leave early?',
      description: [
        '`customers.csv` has a row for each sign-up of one month: when, the plan, the country, when the customer cancelled (empty: not yet), and how many questions they asked in their first week. Nobody has checked the data.',
        '1. How many of the customers cancelled within 30 days of their sign-up?\n2. What do those have in common?\n3. What should the company do first?',
        'Write one page in `answer.md` for the head of product. Add how you computed the figures, which rows you did not count and why, and how sure you are of each answer. Any tool is fine: hand in what you made with it too.',
      ].join('\n\n'),
    },
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
    ticket: {
      title: 'Nobody of this customer can sign in',
      description: [
        'Ines of Lark Foods writes at 8:20:',
        '> Hello, since this morning none of our 14 people can sign in: “Access denied (4031)”. It is urgent, we have a delivery at noon! Nobody changed anything here. We only have new e-mail addresses since yesterday, lark-foods.example in place of larkfoods.example, but that has nothing to do with it. Please reset our passwords. Ines',
        'The log of their organisation:',
        '```\n08:02:11 refused 4031 unknown_user ines@lark-foods.example\n08:02:40 refused 4031 unknown_user tom@lark-foods.example\n08:05:02 signed_in              admin@larkfoods.example\n08:06:19 refused 4031 unknown_user ines@lark-foods.example\n```',
        'You can change up to five addresses yourself. For more, the accounts team needs a request by an administrator of the customer, from an address that we know; it takes two hours.',
        'Write:\n\n1. the answer that you send to Ines,\n2. what you hand over to others, and to whom,\n3. what would spare other customers this problem.',
      ].join('\n\n'),
    },
  },
};
