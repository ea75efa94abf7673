import type { PartialMessages } from '../i18n.tsx';

export const messages: PartialMessages = {
  common: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    copy: 'Copiar',
    delete: 'Eliminar',
    download: 'Descargar',
    run: 'Ejecutar',
    save: 'Guardar',
    search: 'Buscar',
    retry: 'Reintentar',
    states: {
      pending: 'En espera',
      in_progress: 'En curso',
      completed: 'Hecho',
      failed: 'Error',
      cancelled: 'Cancelado',
    },
  },
  shell: {
    home: 'Inicio',
    workflows: 'Flujos',
    jobs: 'Trabajos',
    gallery: 'Galería',
    studio: 'Estudio',
    registry: 'Registro',
    workers: 'Trabajadores',
    administration: 'Administración',
    account: 'Cuenta',
    signOut: 'Cerrar sesión',
  },
  signIn: {
    title: 'Iniciar sesión en Atelier',
    email: 'Correo',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
  },
};
