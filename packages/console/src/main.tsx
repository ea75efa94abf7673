import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { router } from './app/router.tsx';
import { I18nProvider, initialLanguage, loadMessages } from './i18n/i18n.tsx';
import { queryClient } from './query-client.ts';
import './styles.css';
import { ConfirmProvider } from './ui/confirm.tsx';
import { ToastProvider } from './ui/toasts.tsx';

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root.');

const language = initialLanguage();
const messages = await loadMessages(language);

createRoot(root).render(
  <StrictMode>
    {/* The content-security policy allows no style elements. */}
    <CSPProvider disableStyleElements>
      <I18nProvider initial={{ language, messages }}>
        <QueryClientProvider client={queryClient}>
          <Tooltip.Provider delay={500}>
            <ToastProvider>
              <ConfirmProvider>
                <RouterProvider router={router} />
              </ConfirmProvider>
            </ToastProvider>
          </Tooltip.Provider>
        </QueryClientProvider>
      </I18nProvider>
    </CSPProvider>
  </StrictMode>,
);
