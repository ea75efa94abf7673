/**
 * SHA-256 of each migration's file. A database keeps those of the migrations that made it, so that a server with other
 * files refuses it. A line is added with a new migration and never changed.
 */
export const CHECKSUMS: Readonly<Record<string, string>> = {
  '0001-accounts': '2d886c3ce2a8871f89860c4b439c6c3cb0664bdef2bfe6d043b60677ebca0a83',
  '0002-registry': 'b2c2f3ce1fae7649191cf61676d5527c1066edf510abe66549f95d512faf5ddd',
  '0003-storage': '6b27ba844d56ad135faec94e9079178654ebcca30e70e1d77cb52b9cae8c1506',
  '0004-registry-reviews': '4ecc91a25ee864e87dc096abd0a355f1912a8f7cffb913de0053bd190a516e86',
  '0005-cloud': '8a275a1d908e0f3bd81267cc9c79e16efcc489eaa8311520db6e9b6cb0311713',
  '0006-webhooks': '9715d57afe9095b3e5f8f160a09572ee0ce7a35dd32481ae80c3843475329f8d',
  '0007-host': 'aaaeeda611530c8ff2d0fd6737de8e515403d48bb9c31e59ff9746e551392670',
  '0008-proxy': '010393a595ed816b4777b8550b5a656d6ab6a8eebdf24b0d3589f98a8f87221b',
  '0009-put-backs': '4a03fba6f6234d4458b2f587a346f38b47e096f79a3c7f53ac025632748f605e',
  '0010-bounded-reads': '7c802546a5cb0226af4968603a8e530ef97dec6d8eae0ef1a0301d1e04072c0b',
  '0011-sign-in-addresses': '2d0e96595aae3ac1070146f014309a1b5f751768ebc98936ae3726d3bf7839c1',
  '0012-workflow-descriptions': 'bd784784a0c570eccff035a7a609e6057802b9487750e141ad2e10c22ac28ff2',
  '0013-workers': '8742335566a36930844db5ea00de0d8cb29077b9ce8a1f03e62a3280233fbb5c',
  '0014-device-sign-ins': 'c790d0ef2d70ab88d3af748649f4f52e3cc64b265cd909401c54179821b0c9ab',
  '0015-job-timelines': '45dfa4edd891c3feaad6cbb1c2dbd6fd54a0022834c89971a4ffbc098e7cca01',
  '0016-job-names': 'f26a737bcb86a93177be61161377d6ceb433317f9656a54f2359d80ec2d9087d',
  '0017-workflow-versions': 'a94b4b9e7435081826e4083fb4cf341383d99ce67738ab1d24dc5e07b142b401',
  '0018-asset-sizes': 'de778249220ee8737bc945786544cc0a0c099cb3318ad2237686334f16f5c68d',
  '0019-asset-search': 'b3b7dc44de66b4a4c433adf4ae1254e53bb6256192c64f55e4ff4d417b41af9a',
  '0020-pack-readmes': 'e111976888721b408d9f69fa03fa317419ef575e5eec6dc1776fe552397a65d7',
  '0021-job-metadata': '49aa7a79ad1cb5da95b4cde4e3269ec23a7d24e472fd0b1f803759a8fa8b2793',
  '0022-made-files': '7a6656008da00ef9539a2c6756020e6219b2a61b738557934b38032f052d0a84',
  '0023-audit-of-people': 'c500e040a1e081e3423444d871fce1d96bf2710992e4a5b9d4314f94660abc14',
  '0024-large-lists': 'afe567bea01a2fa91290505e3f3b1b24a86d8766e345898a6296f05211fc3966',
  '0025-filter-hashes': 'cd4f37b2ea61af09d2e37efb870c0012a9f12ce7ffbf9e6a3e6d99913c69dd92',
};
