import type { PartialMessages } from '../i18n.tsx';

export const messages: PartialMessages = {
  common: {
    cancel: 'キャンセル',
    close: '閉じる',
    copy: 'コピー',
    delete: '削除',
    download: 'ダウンロード',
    run: '実行',
    save: '保存',
    search: '検索',
    retry: '再試行',
    states: {
      pending: '待機中',
      in_progress: '実行中',
      completed: '完了',
      failed: '失敗',
      cancelled: 'キャンセル',
    },
  },
  shell: {
    home: 'ホーム',
    workflows: 'ワークフロー',
    jobs: 'ジョブ',
    gallery: 'ギャラリー',
    studio: 'スタジオ',
    registry: 'レジストリ',
    workers: 'ワーカー',
    administration: '管理',
    account: 'アカウント',
    signOut: 'サインアウト',
  },
  signIn: {
    title: 'Atelier にサインイン',
    email: 'メール',
    password: 'パスワード',
    submit: 'サインイン',
  },
};
