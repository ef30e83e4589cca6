package scheduler

// HostList is hostList for tests.
var HostList = hostList
