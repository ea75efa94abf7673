// Made from packages/contracts by `npm run generate`. Change it there.

import type * as wire from './wire.ts';

/** What the server answers, by name. */
export interface Answers {
  AccessToken: wire.AccessToken;
  Account: wire.Account;
  AccountPage: wire.AccountPage;
  AccountUse: wire.AccountUse;
  AdminJobPage: wire.AdminJobPage;
  ApiKeys: wire.ApiKeys;
  Asset: wire.Asset;
  AssetCreated: wire.AssetCreated;
  AssetIds: wire.AssetIds;
  AssetPage: wire.AssetPage;
  AuditLog: wire.AuditLog;
  Balance: wire.Balance;
  BulkVersions: wire.BulkVersions;
  CanEdit: wire.CanEdit;
  ComfyNode: wire.ComfyNode;
  ComfyNodePage: wire.ComfyNodePage;
  ComfyNodeSearch: wire.ComfyNodeSearch;
  CreatedApiKey: wire.CreatedApiKey;
  CreatedPublisherToken: wire.CreatedPublisherToken;
  CreatedWorkerToken: wire.CreatedWorkerToken;
  CreditLedger: wire.CreditLedger;
  Delivery: wire.Delivery;
  DeliveryPage: wire.DeliveryPage;
  DeliveryWithBody: wire.DeliveryWithBody;
  DeviceAuthorization: wire.DeviceAuthorization;
  FailingEndpoints: wire.FailingEndpoints;
  Features: wire.Features;
  HistoryDetail: wire.HistoryDetail;
  HistoryList: wire.HistoryList;
  ImageTaskResponse: wire.ImageTaskResponse;
  JobAssetPage: wire.JobAssetPage;
  JobCancelled: wire.JobCancelled;
  JobDetail: wire.JobDetail;
  JobPage: wire.JobPage;
  JobTimeline: wire.JobTimeline;
  JobsCancelled: wire.JobsCancelled;
  Member: wire.Member;
  OAuthTokens: wire.OAuthTokens;
  Pack: wire.Pack;
  PackExport: wire.PackExport;
  PackPage: wire.PackPage;
  PackReadme: wire.PackReadme;
  PackReviews: wire.PackReviews;
  PackVersion: wire.PackVersion;
  PackVersionPage: wire.PackVersionPage;
  PriceList: wire.PriceList;
  ProxyTaskPage: wire.ProxyTaskPage;
  Published: wire.Published;
  Publisher: wire.Publisher;
  PublisherToken: wire.PublisherToken;
  Queue: wire.Queue;
  QueueChanged: wire.QueueChanged;
  QueueHistory: wire.QueueHistory;
  QueueRemaining: wire.QueueRemaining;
  SavedWorkflow: wire.SavedWorkflow;
  SavedWorkflowContent: wire.SavedWorkflowContent;
  SavedWorkflowList: wire.SavedWorkflowList;
  SavedWorkflowVersions: wire.SavedWorkflowVersions;
  ServerSettings: wire.ServerSettings;
  ServerVersion: wire.ServerVersion;
  SharedWorkflow: wire.SharedWorkflow;
  SignInMethods: wire.SignInMethods;
  StorageReport: wire.StorageReport;
  SubmittedJob: wire.SubmittedJob;
  Subscription: wire.Subscription;
  SystemStats: wire.SystemStats;
  TagCounts: wire.TagCounts;
  TagPage: wire.TagPage;
  TagsAdded: wire.TagsAdded;
  TagsRemoved: wire.TagsRemoved;
  TemplateCategory: wire.TemplateCategory;
  Upload: wire.Upload;
  UploadedFile: wire.UploadedFile;
  UploadedMask: wire.UploadedMask;
  UserDataEntry: wire.UserDataEntry;
  UserDataFile: wire.UserDataFile;
  VendorList: wire.VendorList;
  VideoCreations: wire.VideoCreations;
  VideoTaskResponse: wire.VideoTaskResponse;
  WebhookEndpoints: wire.WebhookEndpoints;
  WebhookSecret: wire.WebhookSecret;
  WorkerConflicts: wire.WorkerConflicts;
  WorkerDemand: wire.WorkerDemand;
  WorkerList: wire.WorkerList;
  WorkerModels: wire.WorkerModels;
  WorkerToken: wire.WorkerToken;
  WorkerTokenList: wire.WorkerTokenList;
  WorkflowShare: wire.WorkflowShare;
}

/** The fields that each must have. `[]` marks a list and `{}` an object. */
export const ANSWER_FIELDS: Readonly<Record<keyof Answers, string>> = {
  AccessToken: 'access_token token_type expires_in',
  Account: 'id email name role status created_at subscription{} credits',
  AccountPage: 'total users[] page limit totalPages',
  AccountUse: 'storage{} jobs{}',
  AdminJobPage: 'jobs[]',
  ApiKeys: 'api_keys[]',
  Asset: 'id name tags[] user_metadata{} created_at updated_at',
  AssetCreated: 'id name tags[] user_metadata{} created_at updated_at created_new',
  AssetIds: 'ids[]',
  AssetPage: 'assets[] total has_more',
  AuditLog: 'entries[]',
  Balance: 'balance',
  BulkVersions: 'node_versions[]',
  CanEdit: 'canEdit',
  ComfyNode: 'comfy_node_name deprecated experimental policy',
  ComfyNodePage: 'comfy_nodes[] totalNumberOfPages total',
  ComfyNodeSearch: 'comfy_nodes[] total',
  CreatedApiKey: 'api_key{}',
  CreatedPublisherToken: 'token',
  CreatedWorkerToken: 'id name created_at token',
  CreditLedger: 'balance entries[]',
  Delivery: 'id subject type url endpoint_id status created_at tries[]',
  DeliveryPage: 'deliveries[]',
  DeliveryWithBody: 'id subject type url endpoint_id status created_at tries[] body',
  DeviceAuthorization: 'device_code user_code verification_uri verification_uri_complete expires_in interval',
  FailingEndpoints: 'endpoints[]',
  Features: 'supports_preview_metadata supports_model_type_tags max_upload_size extension{} node_replacements assets asset_deletion_enabled partner_run_gate_enabled has_editor max_concurrent_jobs',
  HistoryDetail: '',
  HistoryList: 'history[]',
  ImageTaskResponse: 'data{}',
  JobAssetPage: 'job_id assets[] pagination{}',
  JobCancelled: 'cancelled',
  JobDetail: 'id status priority create_time outputs_count previewable_outputs_count update_time workflow{}',
  JobPage: 'jobs[] pagination{}',
  JobTimeline: 'job_id status attempt waiting_ms nodes[] nodes_left_out log[] log_lines_left_out',
  JobsCancelled: 'cancelled[]',
  Member: 'id role user{}',
  OAuthTokens: 'access_token token_type',
  Pack: 'id created_at downloads github_stars rating status',
  PackExport: 'revision total nodes[]',
  PackPage: 'total nodes[] page limit totalPages',
  PackReadme: '',
  PackReviews: 'total rating stars[]',
  PackVersion: 'id node_id version node_extract_status comfy_node_extract_status createdAt dependencies[] deprecated status',
  PackVersionPage: 'total versions[] page pageSize totalPages',
  PriceList: 'images{} videos[]',
  ProxyTaskPage: 'tasks[]',
  Published: 'node_version{} signedUrl',
  Publisher: 'id createdAt status',
  PublisherToken: 'id name createdAt token',
  Queue: 'queue_running[] queue_pending[]',
  QueueChanged: 'deleted[] cleared',
  QueueHistory: 'step_ms points[]',
  QueueRemaining: 'exec_info{}',
  SavedWorkflow: 'id name latest_version created_at updated_at',
  SavedWorkflowContent: 'id version workflow_json{}',
  SavedWorkflowList: 'data[] total',
  SavedWorkflowVersions: 'data[]',
  ServerSettings: 'settings[]',
  ServerVersion: 'name version',
  SharedWorkflow: 'name owner_name updated_at workflow_json{}',
  SignInMethods: 'password outside',
  StorageReport: 'used_bytes quota_bytes users[]',
  SubmittedJob: 'prompt_id number node_errors{}',
  Subscription: 'tier status concurrent_jobs',
  SystemStats: 'system{} devices[]',
  TagCounts: 'tag_counts{}',
  TagPage: 'tags[] total has_more',
  TagsAdded: 'added[] already_present[] total_tags[]',
  TagsRemoved: 'removed[] not_present[] protected[] total_tags[]',
  TemplateCategory: 'moduleName title type isEssential templates[]',
  Upload: 'upload_url download_url expires_at existing_file',
  UploadedFile: 'name subfolder type asset{}',
  UploadedMask: 'name subfolder type asset{} metadata{}',
  UserDataEntry: 'name path type',
  UserDataFile: 'path size modified created',
  VendorList: 'vendors[]',
  VideoCreations: 'id state err_code err_msg creations[] credits payload progress bgm off_peak made_by',
  VideoTaskResponse: 'task_id state credits created_at model prompt images[] duration resolution aspect_ratio seed style movement_amplitude audio bgm off_peak watermark payload made_by',
  WebhookEndpoints: 'endpoints[]',
  WebhookSecret: 'secret',
  WorkerConflicts: 'total conflicts[]',
  WorkerDemand: 'labels[]',
  WorkerList: 'workers[]',
  WorkerModels: 'models{}',
  WorkerToken: 'id name created_at',
  WorkerTokenList: 'worker_tokens[]',
  WorkflowShare: 'share_id',
};
