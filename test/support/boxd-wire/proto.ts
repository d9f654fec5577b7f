/**
 * The part of `boxd.api.v1` that programs here or the tests of the vendor's Python SDK use, in our words: names, numbers and types are the vendor's
 * (docs/contract/boxd.md#wire), everything else about the file is ours. A text in a module, so that a bundle carries it.
 */
export const PROTO = `
syntax = "proto3";
package boxd.api.v1;

message Empty {}
message VmId { string vm_id = 1; }

message SrfConfig { optional uint32 auto_suspend_timeout_secs = 1; uint32 auto_destroy_timeout_secs = 2; }
message ProxyEntry { string name = 1; uint32 port = 2; }
message NetworkConfig { bool ssh = 1; repeated ProxyEntry proxies = 2; }
message VmConfig {
  uint32 vcpu = 1;
  uint64 memory_bytes = 2;
  uint64 disk_bytes = 3;
  SrfConfig srf = 4;
  NetworkConfig network = 5;
  optional bool idle_ignore_outbound = 7;
}
message EnvVar { string key = 1; string value = 2; }

message CreateVmRequest {
  string name = 1;
  string image_ref = 2;
  repeated EnvVar env = 5;
  repeated string cmd = 6;
  string restart_policy = 7;
  VmConfig config = 8;
  string org = 9;
  bool shared = 10;
  repeated string networks = 11;
  bool isolated = 12;
  map<string, string> labels = 14;
}
message CreateVmFromSnapshotRequest {
  string snapshot = 1;
  string name = 2;
  VmConfig config = 3;
  string org = 4;
  bool isolated = 5;
  map<string, string> labels = 6;
}
message CreateVmResponse {
  string vm_id = 1;
  string name = 2;
  string public_ip = 3;
  string url = 4;
  string image = 5;
  string status = 6;
  uint64 boot_time_ms = 7;
}
message ForkVmRequest {
  string source_vm_id = 1;
  string name = 2;
  VmConfig config = 3;
  bool shared = 4;
  repeated string networks = 5;
  bool isolated = 6;
  map<string, string> labels = 7;
}
message ForkVmResponse {
  string vm_id = 1;
  string name = 2;
  string public_ip = 3;
  string url = 4;
  string image = 5;
  string status = 6;
  string forked_from = 7;
  uint64 boot_time_ms = 8;
}

message VmSource { string kind = 1; string name = 2; uint64 version = 3; string id = 4; }
message GetVmResponse {
  string vm_id = 1;
  string name = 2;
  string image_ref = 3;
  string public_ip = 4;
  string status = 5;
  string restart_policy = 6;
  uint64 disk_bytes = 7;
  uint32 auto_suspend_timeout_secs = 8;
  uint32 ssh_port = 9;
  string org = 10;
  string billing_org = 11;
  string access_domain = 12;
  uint32 auto_hibernate_timeout_secs = 13;
  uint32 vcpu = 15;
  uint64 memory_bytes = 16;
  int64 created_at = 17;
  int64 hibernated_at_ms = 18;
  uint32 auto_destroy_timeout_secs = 19;
  int64 boot_time_ms = 20;
  string org_id = 22;
  string billing_org_id = 23;
  VmSource source_info = 24;
  repeated string networks = 25;
  bool isolated = 26;
  repeated string egress_allow = 28;
  bool bot_protection = 29;
  int64 delete_at_ms = 30;
  bool idle_ignore_outbound = 32;
  string bot_protection_mode = 33;
  map<string, string> labels = 34;
}
message ListVmsRequest { string org = 1; bool all_contexts = 2; repeated string label_selector = 3; }
message ListVmsResponse { repeated GetVmResponse vms = 1; }

message RenameVmRequest { string vm_id = 1; string new_name = 2; }
message NameResponse { string name = 1; }
message SuspendVmResponse { uint64 suspend_us = 1; }
message ResumeVmResponse { uint64 resume_us = 1; }
message ResizeVmRequest { string vm_id = 1; uint32 vcpu = 2; uint64 memory_bytes = 3; }
message ResizeVmResponse { uint32 vcpu = 1; uint64 memory_bytes = 2; bool rebooted = 3; }
message TimeoutRequest { string vm_id = 1; uint32 timeout_secs = 2; }
message SetDeleteAfterRequest { string vm_id = 1; uint64 delete_after_secs = 2; string delete_after_cron = 3; }
message SetDeleteAfterResponse { int64 delete_at_ms = 1; }
message SetVmNetworksRequest { string vm_id = 1; repeated string networks = 2; }
message NetworksResponse { repeated string networks = 1; }
message SetVmEgressAllowRequest { string vm = 1; repeated string entries = 2; }
message EntriesResponse { repeated string entries = 1; }
message SetBotProtectionRequest { string vm_id = 1; bool enabled = 2; string mode = 3; }
message SetIdleIgnoreOutboundRequest { string vm_id = 1; bool enabled = 2; }
message UpdateVmLabelsRequest { string vm = 1; map<string, string> set = 2; repeated string remove = 3; bool replace_all = 4; }
message LabelsResponse { map<string, string> labels = 1; }

message ListProxiesRequest { string vm_name = 1; string vm = 2; }
message ProxyInfo {
  string name = 1;
  string vm_name = 2;
  string domain = 3;
  uint32 port = 4;
  bool is_default = 5;
  string vm_id = 7;
  string port_mode = 8;
  uint32 effective_port = 9;
}
message ListProxiesResponse { repeated ProxyInfo proxies = 1; }
message CreateProxyRequest { string name = 1; string vm_name = 2; uint32 port = 3; string vm = 4; }
message CreateProxyResponse { string name = 1; string vm_name = 2; string domain = 3; uint32 port = 4; }
message DeleteProxyRequest { string name = 1; string vm_name = 2; string vm = 3; }
message SetProxyPortRequest { string name = 1; string vm_name = 2; string port = 3; string vm = 4; }
message ExposePortRequest { string vm_id = 1; uint32 vm_port = 2; string protocol = 3; string vm = 4; }
message ExposedPort {
  string vm_name = 1;
  string dns = 2;
  uint32 public_port = 3;
  uint32 vm_port = 4;
  string protocol = 5;
  string vm_id = 6;
}
message UnexposePortRequest { string vm_id = 1; uint32 vm_port = 2; string vm = 3; }
message UnexposePortResponse { ExposedPort forward = 1; }
message ListExposedPortsRequest { string vm = 1; }
message ListExposedPortsResponse { repeated ExposedPort forwards = 1; }

message UploadFileRequest { string vm_id = 1; string path = 2; bytes data = 3; }
message UploadFileChunk { string vm_id = 1; string path = 2; uint64 total_size = 3; bytes data = 4; }
message UploadFileResponse { uint64 bytes_written = 1; }
message PathRequest { string vm_id = 1; string path = 2; }
message PathsRequest { string vm_id = 1; string old_path = 2; string new_path = 3; }
message DownloadFileResponse { bytes data = 1; }
message DownloadFileChunk { uint64 total_size = 1; bytes data = 2; }
message DirEntry {
  string name = 1;
  bool is_dir = 2;
  uint64 size_bytes = 3;
  string permissions = 4;
  int64 modified_at = 5;
  int64 added_at = 6;
}
message ListDirResponse { repeated DirEntry entries = 1; bool truncated = 2; }

message CreateSnapshotRequest { string vm = 1; string name = 2; }
message CreateSnapshotResponse { string snapshot_id = 1; string name = 2; uint64 version = 3; string status = 4; }
message SnapshotInfo {
  string snapshot_id = 1;
  string name = 2;
  uint64 version = 3;
  string status = 4;
  uint64 size_bytes = 7;
  int64 updated_at = 8;
  uint32 vcpu = 9;
  uint64 memory_bytes = 10;
  uint64 use_count = 11;
  int64 created_at = 12;
}
message SnapshotRequest { string name = 1; string org = 2; }
message GetSnapshotResponse { SnapshotInfo snapshot = 1; }
message OrgRequest { string org = 1; }
message ListSnapshotsResponse { repeated SnapshotInfo snapshots = 1; }

message ExecChunk {
  bytes data = 1;
  bool stdin = 2;
  bool tty = 3;
  string command = 4;
  string vm_id = 5;
  int32 exit_code = 6;
  uint32 cols = 7;
  uint32 rows = 8;
  bool window_change = 9;
  bool is_stderr = 10;
}

message WhoamiResponse { string user_id = 1; string display_name = 5; }
message GetConfigResponse { string default_image = 1; string zone = 2; }
message OrgSummary { string id = 1; string name = 2; bool is_admin = 3; string slug = 4; }
message ListOrgsResponse { repeated OrgSummary orgs = 1; string default_org_id = 3; }

service BoxdApi {
  rpc Whoami(Empty) returns (WhoamiResponse);
  rpc GetConfig(Empty) returns (GetConfigResponse);
  rpc ListOrgs(Empty) returns (ListOrgsResponse);
  rpc SuggestVmName(Empty) returns (NameResponse);

  rpc CreateVm(CreateVmRequest) returns (CreateVmResponse);
  rpc CreateVmFromSnapshot(CreateVmFromSnapshotRequest) returns (CreateVmResponse);
  rpc ForkVm(ForkVmRequest) returns (ForkVmResponse);
  rpc GetVm(VmId) returns (GetVmResponse);
  rpc ListVms(ListVmsRequest) returns (ListVmsResponse);
  rpc RenameVm(RenameVmRequest) returns (NameResponse);
  rpc DestroyVm(VmId) returns (Empty);

  rpc StartVm(VmId) returns (Empty);
  rpc StopVm(VmId) returns (Empty);
  rpc RebootVm(VmId) returns (Empty);
  rpc SuspendVm(VmId) returns (SuspendVmResponse);
  rpc ResumeVm(VmId) returns (ResumeVmResponse);
  rpc HibernateVm(VmId) returns (Empty);
  rpc WakeVm(VmId) returns (Empty);
  rpc ResizeVm(ResizeVmRequest) returns (ResizeVmResponse);

  rpc SetAutoSuspendTimeout(TimeoutRequest) returns (Empty);
  rpc SetAutoHibernateTimeout(TimeoutRequest) returns (Empty);
  rpc SetDeleteAfter(SetDeleteAfterRequest) returns (SetDeleteAfterResponse);
  rpc SetVmNetworks(SetVmNetworksRequest) returns (NetworksResponse);
  rpc SetVmEgressAllow(SetVmEgressAllowRequest) returns (EntriesResponse);
  rpc SetBotProtection(SetBotProtectionRequest) returns (Empty);
  rpc SetIdleIgnoreOutbound(SetIdleIgnoreOutboundRequest) returns (Empty);
  rpc UpdateVmLabels(UpdateVmLabelsRequest) returns (LabelsResponse);

  rpc ListProxies(ListProxiesRequest) returns (ListProxiesResponse);
  rpc CreateProxy(CreateProxyRequest) returns (CreateProxyResponse);
  rpc DeleteProxy(DeleteProxyRequest) returns (Empty);
  rpc SetProxyPort(SetProxyPortRequest) returns (Empty);
  rpc ExposePort(ExposePortRequest) returns (ExposedPort);
  rpc UnexposePort(UnexposePortRequest) returns (UnexposePortResponse);
  rpc ListExposedPorts(ListExposedPortsRequest) returns (ListExposedPortsResponse);

  rpc UploadFile(UploadFileRequest) returns (UploadFileResponse);
  rpc UploadFileStream(stream UploadFileChunk) returns (UploadFileResponse);
  rpc DownloadFile(PathRequest) returns (DownloadFileResponse);
  rpc DownloadFileStream(PathRequest) returns (stream DownloadFileChunk);
  rpc ListDir(PathRequest) returns (ListDirResponse);
  rpc Mkdir(PathRequest) returns (Empty);
  rpc DeletePath(PathRequest) returns (Empty);
  rpc RenamePath(PathsRequest) returns (Empty);
  rpc CopyPath(PathsRequest) returns (Empty);

  rpc CreateSnapshot(CreateSnapshotRequest) returns (CreateSnapshotResponse);
  rpc GetSnapshot(SnapshotRequest) returns (GetSnapshotResponse);
  rpc ListSnapshots(OrgRequest) returns (ListSnapshotsResponse);
  rpc DeleteSnapshot(SnapshotRequest) returns (Empty);

  rpc Exec(stream ExecChunk) returns (stream ExecChunk);
}
`;
