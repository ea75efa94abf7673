import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';

import { useFormat, useMessages } from '../i18n/i18n.tsx';
import { useOfflineSince } from '../live/connection.ts';
import { startJobStream } from '../live/job-stream.ts';
import { meQuery, redirectToSignIn } from '../session.ts';
import { Skeleton } from '../ui/states.tsx';
import { ActivityTray } from './activity-tray.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Palette } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';

/** The frame around every page that requires sign-in. */
export function Shell() {
  const { shell } = useMessages();
  const { data: me } = useQuery(meQuery);
  const isSignedOut = me === null;
  useEffect(() => {
    if (isSignedOut) redirectToSignIn();
  }, [isSignedOut]);
  useEffect(() => (isSignedOut ? undefined : startJobStream()), [isSignedOut]);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The focused element is gone with its page, so the new page gets the focus and screen readers read it.
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (fromLocation && pathChanged && isLost) document.querySelector<HTMLElement>('#content')?.focus();
      }),
    [router],
  );
  if (isSignedOut) return null;
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shell.skip}
      </a>
      <Sidebar />
      <div className="flex min-w-0 grow flex-col">
        <AwayNotice />
        <ActivityTray />
        <main id="content" tabIndex={-1} className="flex outline-none min-w-0 grow flex-col pb-16 sm:pb-0">
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <BottomBar />
      <Palette />
    </div>
  );
}

function AwayNotice() {
  const { shell } = useMessages();
  const format = useFormat();
  const since = useOfflineSince();
  if (since === undefined) return null;
  return (
    <p role="status" className="border-b border-line bg-surface px-4 py-1.5 text-13 text-waiting sm:px-6">
      {shell.offline(format.dateTime(since))}
    </p>
  );
}

function PageSkeleton() {
  return (
    <div className="flex flex-col gap-4 px-6 py-5">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
