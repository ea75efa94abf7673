import { account } from './account.ts';
import { admin } from './admin.ts';
import { common } from './common.ts';
import { gallery } from './gallery.ts';
import { graph } from './graph.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { registry } from './registry.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { studio } from './studio.ts';
import { workers } from './workers.ts';
import { workflow } from './workflow.ts';
import { workflows } from './workflows.ts';

/** Every text of the console. A text with a value in it is a function. */
export const english = {
  common,
  shell,
  signIn,
  home,
  workflows,
  workflow,
  graph,
  jobs,
  gallery,
  studio,
  registry,
  admin,
  workers,
  account,
};

export type Messages = typeof english;
