import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';

import { HomePage } from '../pages/home/home-page.tsx';
import { queryClient } from '../query-client.ts';
import { meQuery } from '../session.ts';
import { ErrorState } from '../ui/states.tsx';
import { NotFound } from './not-found.tsx';
import { anyOf, text } from './search.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search) => ({
    ...text(search, 'return_to'),
    ...text(search, 'error'),
  }),
  component: lazyRouteComponent(async () => await import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** All pages that require sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const me = await queryClient.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: '/sign-in', search: { return_to: `/console${location.href}` } });
  },
});

/** The page for unknown addresses, inside the frame. */
const unknown = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });

const home = createRoute({ getParentRoute: () => app, path: '/', component: HomePage });

const workflows = createRoute({
  getParentRoute: () => app,
  path: '/workflows',
  validateSearch: (search) => text(search, 'q'),
  component: lazyRouteComponent(
    async () => await import('../pages/workflows/workflows-page.tsx'),
    'WorkflowsPage',
  ),
});

/** One workflow from any source: saved, an example, of a job, in a file of the gallery, or shared by link. */
const workflow = createRoute({
  getParentRoute: () => app,
  path: '/workflows/open',
  validateSearch: (search) => ({
    ...text(search, 'saved'),
    ...text(search, 'example'),
    ...text(search, 'job'),
    ...text(search, 'asset'),
    ...text(search, 'shared'),
    ...text(search, 'draft'),
    ...anyOf(search, 'view', ['form', 'graph']),
  }),
  component: lazyRouteComponent(
    async () => await import('../pages/workflow/workflow-page.tsx'),
    'WorkflowPage',
  ),
});

const jobs = createRoute({
  getParentRoute: () => app,
  path: '/jobs',
  validateSearch: (search) => ({
    ...anyOf(search, 'status', ['active', 'pending', 'in_progress', 'completed', 'failed', 'cancelled']),
    ...text(search, 'workflow'),
    ...text(search, 'tag'),
    ...anyOf(search, 'since', ['hour', 'day', 'week', 'month']),
  }),
  component: lazyRouteComponent(async () => await import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

const compare = createRoute({
  getParentRoute: () => app,
  path: '/jobs/compare',
  validateSearch: (search) => ({ ...text(search, 'a'), ...text(search, 'b') }),
  component: lazyRouteComponent(async () => await import('../pages/jobs/compare-page.tsx'), 'ComparePage'),
});

const job = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$jobId',
  validateSearch: (search) => text(search, 'node'),
  component: lazyRouteComponent(async () => await import('../pages/job/job-page.tsx'), 'JobPage'),
});

const gallery = createRoute({
  getParentRoute: () => app,
  path: '/gallery',
  validateSearch: (search) => ({
    ...text(search, 'q'),
    ...text(search, 'tag'),
    ...anyOf(search, 'kind', ['picture', 'video', 'audio', 'other']),
    ...anyOf(search, 'from', ['output', 'input']),
    ...text(search, 'item'),
  }),
  component: lazyRouteComponent(async () => await import('../pages/gallery/gallery-page.tsx'), 'GalleryPage'),
});

const studio = createRoute({
  getParentRoute: () => app,
  path: '/studio',
  validateSearch: (search) => ({
    ...anyOf(search, 'tool', ['skin', 'relight', 'video']),
    ...text(search, 'task'),
    ...text(search, 'asset'),
  }),
  component: lazyRouteComponent(async () => await import('../pages/studio/studio-page.tsx'), 'StudioPage'),
});

const registry = createRoute({
  getParentRoute: () => app,
  path: '/registry',
  validateSearch: (search) => ({
    ...text(search, 'q'),
    ...anyOf(search, 'among', ['packs', 'nodes']),
    ...anyOf(search, 'sort', ['downloads', 'rating', 'newest', 'name']),
  }),
  component: lazyRouteComponent(
    async () => await import('../pages/registry/registry-page.tsx'),
    'RegistryPage',
  ),
});

const pack = createRoute({
  getParentRoute: () => app,
  path: '/registry/packs/$packId',
  validateSearch: (search) => ({
    ...text(search, 'version'),
    ...anyOf(search, 'tab', ['readme', 'versions', 'nodes', 'languages']),
  }),
  component: lazyRouteComponent(async () => await import('../pages/registry/pack-page.tsx'), 'PackPage'),
});

const publishers = createRoute({
  getParentRoute: () => app,
  path: '/registry/publishers',
  validateSearch: (search) => anyOf(search, 'show', ['mine', 'all']),
  component: lazyRouteComponent(
    async () => await import('../pages/registry/publishers-page.tsx'),
    'PublishersPage',
  ),
});

const publisher = createRoute({
  getParentRoute: () => app,
  path: '/registry/publishers/$publisherId',
  validateSearch: (search) => anyOf(search, 'tab', ['packs', 'members', 'tokens', 'settings']),
  component: lazyRouteComponent(
    async () => await import('../pages/registry/publisher-page.tsx'),
    'PublisherPage',
  ),
});

const review = createRoute({
  getParentRoute: () => app,
  path: '/registry/review',
  validateSearch: (search) => anyOf(search, 'show', ['requested', 'flagged', 'pending', 'banned']),
  component: lazyRouteComponent(async () => await import('../pages/registry/review-page.tsx'), 'ReviewPage'),
});

const workers = createRoute({
  getParentRoute: () => app,
  path: '/workers',
  component: lazyRouteComponent(async () => await import('../pages/workers/workers-page.tsx'), 'WorkersPage'),
});

const admin = createRoute({
  getParentRoute: () => app,
  path: '/admin',
  validateSearch: (search) => ({
    ...anyOf(search, 'tab', ['overview', 'users', 'jobs', 'storage', 'webhooks', 'audit', 'settings']),
    ...text(search, 'q'),
    ...text(search, 'user'),
  }),
  component: lazyRouteComponent(async () => await import('../pages/admin/admin-page.tsx'), 'AdminPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  validateSearch: (search) => anyOf(search, 'tab', ['profile', 'keys', 'credits', 'storage', 'webhooks']),
  component: lazyRouteComponent(async () => await import('../pages/account/account-page.tsx'), 'AccountPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    app.addChildren([
      home,
      workflows,
      workflow,
      jobs,
      compare,
      job,
      gallery,
      studio,
      registry,
      pack,
      publishers,
      publisher,
      review,
      workers,
      admin,
      account,
      unknown,
    ]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
