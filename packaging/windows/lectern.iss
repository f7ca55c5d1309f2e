; Lectern for Windows. packaging/windows/build.py calls Inno Setup 6.3 or newer with these definitions:
;   AppVersion, NumericVersion, Variant, SourceDir, OutputDir, RuntimeInstaller; SignTool where it signs.
#ifndef AppVersion
  #error Call packaging/windows/build.py, which defines AppVersion and the others.
#endif

#define AppName "Lectern"
#define AppExe "lectern-app.exe"

[Setup]
; The id ties an update to what it replaces: it never changes.
AppId={{6E0E6A4C-8B7A-4C0B-9D7F-3A5B1F7C2D41}
AppName={#AppName}
AppVersion={#AppVersion}
AppVerName={#AppName} {#AppVersion}
AppPublisher=The Lectern developers
VersionInfoVersion={#NumericVersion}
; For the user alone, without an administrator.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=
DefaultDirName={userpf}\{#AppName}
DisableProgramGroupPage=yes
DefaultGroupName={#AppName}
UninstallDisplayIcon={app}\{#AppExe}
UninstallDisplayName={#AppName}
SetupIconFile={#SourceDir}\..\..\build\lectern\lectern.ico
LicenseFile={#SourceDir}\LICENSE
OutputDir={#OutputDir}
OutputBaseFilename=lectern-{#AppVersion}-{#Variant}-windows-x64
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
Compression=lzma2/normal
SolidCompression=no
LZMAUseSeparateProcess=yes
; A CUDA build exceeds what one .exe can hold: the data goes into slices beside it.
DiskSpanning=yes
DiskSliceSize=2000000000
SlicesPerDisk=1
ChangesAssociations=yes
CloseApplications=yes
CloseApplicationsFilter=*.exe,*.dll,*.pyd
RestartApplications=no
SetupLogging=yes
WizardStyle=modern
#ifdef SignTool
SignTool={#SignTool}
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
#if FileExists(AddBackslash(SourcePath) + "ChineseSimplified.isl")
Name: "zh_CN"; MessagesFile: "ChineseSimplified.isl"
#endif

[CustomMessages]
en.OpenWith=Offer Lectern in the menu "Open with" of PDF, DOCX, EPUB, HTML, Markdown and text files
en.DesktopIcon=Put an icon on the desktop
en.RemoveData=Remove your conversations, findings, settings, downloaded models and what was read of documents, too?%n%nThey are in:%n%1
en.InstallingRuntime=Installing the Visual C++ runtime...
en.StartNow=Start Lectern
#if FileExists(AddBackslash(SourcePath) + "ChineseSimplified.isl")
zh_CN.OpenWith=在 PDF、DOCX、EPUB、HTML、Markdown 和文本文件的“打开方式”菜单中提供 Lectern
zh_CN.DesktopIcon=在桌面上放置图标
zh_CN.RemoveData=是否同时删除您的对话、审阅结果、设置、已下载的模型以及已读取的文档内容？%n%n它们位于：%n%1
zh_CN.InstallingRuntime=正在安装 Visual C++ 运行库…
zh_CN.StartNow=启动 Lectern
#endif

[Tasks]
Name: "openwith"; Description: "{cm:OpenWith}"
Name: "desktopicon"; Description: "{cm:DesktopIcon}"; Flags: unchecked

[InstallDelete]
; Libraries of an older version must not be found beside the new ones.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#SourceDir}\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion
Source: "{#RuntimeInstaller}"; DestDir: "{tmp}"; DestName: "vc_redist.x64.exe"; Flags: deleteafterinstall; Check: NeedsRuntime

[Icons]
Name: "{group}\{#AppName}"; Filename: "{app}\{#AppExe}"
Name: "{userdesktop}\{#AppName}"; Filename: "{app}\{#AppExe}"; Tasks: desktopicon

[Registry]
; "Open with" only: the program that opens a kind of file by default stays what it is.
Root: HKCU; Subkey: "Software\Classes\Lectern.Document"; ValueType: string; ValueData: "{#AppName}"; Flags: uninsdeletekey; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Lectern.Document\DefaultIcon"; ValueType: string; ValueData: "{app}\{#AppExe},0"; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Lectern.Document\shell\open\command"; ValueType: string; ValueData: """{app}\{#AppExe}"" ""%1"""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.pdf\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.docx\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.epub\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.html\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.md\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\.txt\OpenWithProgids"; ValueType: none; ValueName: "Lectern.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "{#AppName}"; Flags: uninsdeletekey; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\shell\open\command"; ValueType: string; ValueData: """{app}\{#AppExe}"" ""%1"""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".pdf"; ValueData: ""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".docx"; ValueData: ""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".epub"; ValueData: ""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".html"; ValueData: ""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".md"; ValueData: ""; Tasks: openwith
Root: HKCU; Subkey: "Software\Classes\Applications\{#AppExe}\SupportedTypes"; ValueType: string; ValueName: ".txt"; ValueData: ""; Tasks: openwith

[Run]
; The runtime asks for an administrator by itself, once, and only where it is missing.
Filename: "{tmp}\vc_redist.x64.exe"; Parameters: "/install /quiet /norestart"; StatusMsg: "{cm:InstallingRuntime}"; Flags: shellexec waituntilterminated; Verb: "runas"; Check: NeedsRuntime
Filename: "{app}\{#AppExe}"; Description: "{cm:StartNow}"; Flags: nowait postinstall skipifsilent

[UninstallDelete]
Type: filesandordirs; Name: "{app}\_internal"
Type: dirifempty; Name: "{app}"

[Code]
const
  RuntimeKey = 'SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes\x64';
  OldestMinorRuntime = 40;

function NeedsRuntime: Boolean;
var
  Installed, Minor: Cardinal;
begin
  Result := not (RegQueryDWordValue(HKLM64, RuntimeKey, 'Installed', Installed) and (Installed = 1)
    and RegQueryDWordValue(HKLM64, RuntimeKey, 'Minor', Minor) and (Minor >= OldestMinorRuntime));
end;

function UserData: String;
begin
  Result := ExpandConstant('{localappdata}\Lectern');
end;

{ Kept unless the user says so: a silent uninstall, as an update does it, removes nothing. /REMOVEDATA=1 removes. }
procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Remove: Boolean;
begin
  if (Step <> usPostUninstall) or not DirExists(UserData) then
    exit;
  Remove := ExpandConstant('{param:REMOVEDATA|0}') = '1';
  if not Remove and not UninstallSilent then
    Remove := MsgBox(FmtMessage(CustomMessage('RemoveData'), [UserData]), mbConfirmation,
      MB_YESNO or MB_DEFBUTTON2) = IDYES;
  if Remove then
    DelTree(UserData, True, True, True);
end;
