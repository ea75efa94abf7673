import type { PartialMessages } from '../i18n.tsx';

export const messages: PartialMessages = {
  common: {
    cancel: '取消',
    close: '关闭',
    copy: '复制',
    delete: '删除',
    download: '下载',
    run: '运行',
    save: '保存',
    search: '搜索',
    retry: '重试',
    states: {
      pending: '等待中',
      in_progress: '运行中',
      completed: '完成',
      failed: '失败',
      cancelled: '已取消',
    },
  },
  shell: {
    home: '首页',
    workflows: '工作流',
    jobs: '任务',
    gallery: '图库',
    studio: '工作室',
    registry: '注册表',
    workers: '工作节点',
    administration: '管理',
    account: '账户',
    signOut: '退出登录',
  },
  signIn: {
    title: '登录 Atelier',
    email: '邮箱',
    password: '密码',
    submit: '登录',
  },
};
