<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance and language</source>
        <translation>外观与语言</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <comment>language</comment>
        <translation>跟随系统</translation>
    </message>
</context>
<context>
    <name>CacheList</name>
    <message>
        <source>Documents that are kept read</source>
        <translation>已保存阅读结果的文档</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the chosen documents from the disk</source>
        <translation>从磁盘删除所选文档</translation>
    </message>
    <message>
        <source>The model has to read these documents again when you open them next.</source>
        <translation>下次打开这些文档时，模型需要重新阅读。</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>{used} of the {quota} that read documents may take. The longest unused go first.</source>
        <translation>已读文档占用 {used}，上限 {quota}。最久未用的先删除。</translation>
    </message>
    <message>
        <source>kept by another version of Lectern</source>
        <translation>由其他版本的 Lectern 保存</translation>
    </message>
    <message>
        <source>unfinished or damaged</source>
        <translation>未完成或已损坏</translation>
    </message>
    <message>
        <source>last used {day}</source>
        <translation>上次使用 {day}</translation>
    </message>
    <message>
        <source>{percent} % read</source>
        <translation>已读 {percent} %</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Model and mode. It reads {count} tokens at most.</source>
        <translation>模型与模式。最多可读取 {count} 个词元。</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Ask anything about the document. The answer names its pages; a click shows the words.</source>
        <translation>就文档内容随意提问。回答会注明页码，点击即可查看原文。</translation>
    </message>
    <message>
        <source>A review is under way. Ask when it is over, or stop it (Esc).</source>
        <translation>审查正在进行。请等它结束后再提问，或按 Esc 停止。</translation>
    </message>
    <message>
        <source>New conversation about the same documents (Ctrl+N)</source>
        <translation>就相同文档开始新对话 (Ctrl+N)</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Not open, because it was moved, deleted or cannot be read: {names}.</source>
        <translation>未打开（已移动、已删除或无法读取）：{names}。</translation>
    </message>
    <message>
        <source>Changed since these questions were asked: {names}. Marked places may be others.</source>
        <translation>提问之后已更改：{names}。标记的位置可能不再相符。</translation>
    </message>
    <message>
        <source>The conversation can be read, and goes on once the document is there again.</source>
        <translation>对话仍可阅读；文档恢复后即可继续。</translation>
    </message>
</context>
<context>
    <name>CheckDialog</name>
    <message>
        <source>System check</source>
        <translation>系统检查</translation>
    </message>
    <message>
        <source>What could be set up better for the chosen model. Lectern changes nothing: copy a command, read it, and run it yourself if you agree.</source>
        <translation>针对所选模型，有哪些地方可以设置得更好。Lectern 不会改动任何东西：请复制命令、读懂它，同意的话再自行运行。</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>{severe} to mend, {hints} hints, {fine} in order</source>
        <translation>{severe} 项需处理，{hints} 项提示，{fine} 项正常</translation>
    </message>
</context>
<context>
    <name>ChecklistDialog</name>
    <message>
        <source>{title} (not saved)</source>
        <translation>{title}（未保存）</translation>
    </message>
    <message>
        <source>{title} (built-in)</source>
        <translation>{title}（内置）</translation>
    </message>
    <message>
        <source>Built-in checklists are read-only: copy one to change it.</source>
        <translation>内置清单为只读：请复制后再修改。</translation>
    </message>
    <message>
        <source>New checklist</source>
        <translation>新清单</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title}（副本）</translation>
    </message>
    <message>
        <source>Something is missing: look at the fields marked red.</source>
        <translation>内容不完整：请查看标红的字段。</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Checklists</source>
        <translation>清单</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ChecklistForm</name>
    <message>
        <source>New question</source>
        <translation>新问题</translation>
    </message>
    <message>
        <source>Title of the checklist</source>
        <translation>清单标题</translation>
    </message>
    <message>
        <source>1 to {count} characters are needed.</source>
        <translation>需要 1 至 {count} 个字符。</translation>
    </message>
    <message>
        <source>Add a question.</source>
        <translation>请添加一个问题。</translation>
    </message>
    <message>
        <source>You write in the language of the window; texts in other languages stay as they are.</source>
        <translation>您编辑的是当前界面语言的文本；其他语言的文本保持不变。</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Add a question</source>
        <translation>添加问题</translation>
    </message>
    <message>
        <source>Remove the question</source>
        <translation>删除问题</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>p. {number}</source>
        <translation>第 {number} 页</translation>
    </message>
    <message>
        <source>p. {number} (printed {label})</source>
        <translation>第 {number} 页（印刷页码 {label}）</translation>
    </message>
    <message>
        <source>Closest passage · {page}</source>
        <translation>最接近的段落 · {page}</translation>
    </message>
    <message>
        <source>No quote of the answer: the passage that supports it best.</source>
        <translation>这不是回答中的引文，而是最能支持回答的段落。</translation>
    </message>
    <message>
        <source>{page} · “{quote}”</source>
        <translation>{page} · “{quote}”</translation>
    </message>
    <message>
        <source>These words stand on the page. Click to see them.</source>
        <translation>这些文字确实在该页上。点击查看。</translation>
    </message>
    <message>
        <source>Not found · “{quote}”</source>
        <translation>未找到 · “{quote}”</translation>
    </message>
    <message>
        <source>The document does not say this in these words. The closest page is shown.</source>
        <translation>文档中没有这样的原文。点击会显示最接近的页面。</translation>
    </message>
</context>
<context>
    <name>CitationChips</name>
    <message>
        <source>In the document</source>
        <translation>文档中的依据</translation>
    </message>
</context>
<context>
    <name>ClosingDialog</name>
    <message>
        <source>It is about the documents that are open now. Its answers are not kept.</source>
        <translation>此对话针对当前打开的文档，其中的回答不会保留。</translation>
    </message>
    <message>
        <source>Open the document</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>It is about the documents that are open now. It stays in the history, where you can go on with it.</source>
        <translation>它针对当前打开的文档。它会保留在历史记录中，您可以在那里继续。</translation>
    </message>
    <message>
        <source>Go on with another model?</source>
        <translation>换用另一个模型继续？</translation>
    </message>
    <message>
        <source>The new model is loaded and reads the documents again. The answers stay on screen, but it knows nothing of them.</source>
        <translation>将加载新模型并重新阅读文档。已有的回答仍留在屏幕上，但新模型并不知道这些内容。</translation>
    </message>
    <message>
        <source>Use the new model</source>
        <translation>使用新模型</translation>
    </message>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Close this conversation?</source>
        <translation>关闭此对话？</translation>
    </message>
    <message>
        <source>Keep the conversation</source>
        <translation>保留对话</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about the document</source>
        <translation>就文档提问</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>您的问题</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送 (Enter)</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
</context>
<context>
    <name>ContextSlider</name>
    <message>
        <source>Length of the text</source>
        <translation>文本长度</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个词元</translation>
    </message>
</context>
<context>
    <name>CoreTexts</name>
    <message>
        <source>Cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Damaged file</source>
        <translation>文件已损坏</translation>
    </message>
    <message>
        <source>Empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>File cannot be read</source>
        <translation>文件无法读取</translation>
    </message>
    <message>
        <source>File not found</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>No pages</source>
        <translation>没有页面</translation>
    </message>
    <message>
        <source>No room for an answer</source>
        <translation>没有空间容纳回答</translation>
    </message>
    <message>
        <source>No text to read</source>
        <translation>没有可读的文字</translation>
    </message>
    <message>
        <source>Not a PDF</source>
        <translation>不是 PDF 文件</translation>
    </message>
    <message>
        <source>Not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存已用尽</translation>
    </message>
    <message>
        <source>Takes too long</source>
        <translation>耗时过长</translation>
    </message>
    <message>
        <source>The compute device failed</source>
        <translation>计算设备出错</translation>
    </message>
    <message>
        <source>The document is too long for this model</source>
        <translation>文档对此模型来说太长</translation>
    </message>
    <message>
        <source>The starter model cannot be downloaded</source>
        <translation>无法下载入门模型</translation>
    </message>
    <message>
        <source>The starter model cannot be stored</source>
        <translation>无法保存入门模型</translation>
    </message>
    <message>
        <source>The model cannot be loaded</source>
        <translation>无法加载模型</translation>
    </message>
    <message>
        <source>The document could not be read because of an error in the program; see its log.</source>
        <translation>由于程序出错，文档无法读取；详情见日志。</translation>
    </message>
    <message>
        <source>All pages are blank.</source>
        <translation>所有页面都是空白。</translation>
    </message>
    <message>
        <source>No sample document</source>
        <translation>没有示例文档</translation>
    </message>
    <message>
        <source>No such page</source>
        <translation>没有该页</translation>
    </message>
    <message>
        <source>No such pages</source>
        <translation>没有这些页面</translation>
    </message>
    <message>
        <source>Page cannot be shown</source>
        <translation>页面无法显示</translation>
    </message>
    <message>
        <source>Password needed</source>
        <translation>需要密码</translation>
    </message>
    <message>
        <source>Unknown encryption</source>
        <translation>未知的加密方式</translation>
    </message>
    <message>
        <source>Wrong password</source>
        <translation>密码错误</translation>
    </message>
    <message>
        <source>“{name}” could not be opened in time, or it breaks the reader. It is probably damaged; open it in another PDF program and save a copy.</source>
        <translation>“{name}”未能及时打开，或使读取程序出错。文件可能已损坏；请用其他 PDF 程序打开并另存一份。</translation>
    </message>
    <message>
        <source>“{name}” could not be read ({error}). It is probably damaged; open it in another PDF program and save a copy.</source>
        <translation>“{name}”无法读取（{error}）。文件可能已损坏；请用其他 PDF 程序打开并另存一份。</translation>
    </message>
    <message>
        <source>“{name}” cannot be read: {error}. Check its permissions.</source>
        <translation>“{name}”无法读取：{error}。请检查文件权限。</translation>
    </message>
    <message>
        <source>“{name}” is damaged and could not be repaired. Get the file again from where it came from, or open it in another PDF program and save a copy.</source>
        <translation>“{name}”已损坏且无法修复。请重新获取该文件，或用其他 PDF 程序打开并另存一份。</translation>
    </message>
    <message>
        <source>“{name}” is empty (0 bytes). Get the file again from where it came from.</source>
        <translation>“{name}”是空文件（0 字节）。请重新获取该文件。</translation>
    </message>
    <message>
        <source>“{name}” is encrypted in a way that cannot be read here. Save a copy without encryption in the program it was made with, then open the copy.</source>
        <translation>“{name}”的加密方式在此无法读取。请在制作它的程序中另存一份不加密的副本，再打开该副本。</translation>
    </message>
    <message>
        <source>“{name}” is encrypted in a way that cannot be read here, or it is damaged. Save a copy without encryption in another PDF program, then open the copy.</source>
        <translation>“{name}”的加密方式在此无法读取，或文件已损坏。请用其他 PDF 程序另存一份不加密的副本，再打开该副本。</translation>
    </message>
    <message>
        <source>“{name}” is encrypted. Enter its password to open it.</source>
        <translation>“{name}”已加密。请输入密码以打开。</translation>
    </message>
    <message>
        <source>The password does not open “{name}”. Check capital letters and the keyboard layout, then try again.</source>
        <translation>该密码无法打开“{name}”。请检查大小写和键盘布局后重试。</translation>
    </message>
    <message>
        <source>“{name}” does not exist. Check the name, or whether it was moved.</source>
        <translation>“{name}”不存在。请检查文件名，或文件是否已被移动。</translation>
    </message>
    <message>
        <source>“{name}” is not a PDF file. Save or print it as PDF first, then open that.</source>
        <translation>“{name}”不是 PDF 文件。请先将其另存或打印为 PDF，再打开。</translation>
    </message>
    <message>
        <source>“{name}” begins like a PDF file but holds none. Get the file again from where it came from.</source>
        <translation>“{name}”开头像 PDF 文件，但内容不是。请重新获取该文件。</translation>
    </message>
    <message>
        <source>“{name}” is a PDF without a single page. It is probably damaged; try to get the file again from where it came from.</source>
        <translation>“{name}”是没有任何页面的 PDF，可能已损坏；请尝试重新获取该文件。</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Choose a PDF file inside it.</source>
        <translation>“{name}”是文件夹。请选择其中的 PDF 文件。</translation>
    </message>
    <message>
        <source>The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be asked.</source>
        <translation>页面只含图像：这是扫描件。需要先进行文字识别（OCR）才能提问。</translation>
    </message>
    <message>
        <source>None of the pages chosen has text. Choose other pages.</source>
        <translation>所选页面都没有文字。请选择其他页面。</translation>
    </message>
    <message>
        <source>The document is left out</source>
        <translation>该文档未纳入阅读</translation>
    </message>
    <message>
        <source>“{name}” is left out of what is read. Choose pages of it that are to be read.</source>
        <translation>“{name}”未纳入阅读范围。请选择其中要阅读的页。</translation>
    </message>
    <message>
        <source>The document has {pages} pages; ask for pages 1 to {last}.</source>
        <translation>文档共有 {pages} 页；请选择第 1 至 {last} 页。</translation>
    </message>
    <message>
        <source>Page {page} of “{name}” could not be drawn in time. It is probably damaged; the other pages can still be shown.</source>
        <translation>“{name}”的第 {page} 页未能及时绘出。该页可能已损坏；其他页面仍可显示。</translation>
    </message>
    <message>
        <source>Page {page} could not be read because {reason}. The other pages were read.</source>
        <translation>第 {page} 页无法读取：{reason}。其他页面已读取。</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>该页已损坏</translation>
    </message>
    <message>
        <source>it needs more memory than there is</source>
        <translation>所需内存超过可用内存</translation>
    </message>
    <message>
        <source>it takes too long or breaks the reader</source>
        <translation>耗时过长，或使读取程序出错</translation>
    </message>
    <message>
        <source>The author of this file does not permit copying its text. You may read and ask here; respect that wish when you pass text on.</source>
        <translation>此文件的作者不允许复制其中的文字。您可以在此阅读和提问；转发文字时请尊重作者的意愿。</translation>
    </message>
    <message>
        <source>This page is damaged: nothing of it can be read or shown.</source>
        <translation>此页已损坏：无法读取或显示任何内容。</translation>
    </message>
    <message>
        <source>This page has no text.</source>
        <translation>此页没有文字。</translation>
    </message>
    <message>
        <source>{share} % of the characters on this page have no readable meaning; its fonts are damaged. Read this page with text recognition (OCR).</source>
        <translation>此页有 {share} % 的字符没有可读的含义；其字体已损坏。请用文字识别（OCR）读取此页。</translation>
    </message>
    <message>
        <source>The words on this page run together without blanks. Read it with text recognition (OCR).</source>
        <translation>本页单词之间没有空格。请用文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>The text of this page was found by text recognition (OCR) in a picture; it can have errors.</source>
        <translation>本页文字由图片文字识别（OCR）得到，可能有误。</translation>
    </message>
    <message>
        <source>This page could not be checked for hidden text; the model may be given what readers do not see.</source>
        <translation>无法检查本页是否有隐藏文字；模型可能得到读者看不到的内容。</translation>
    </message>
    <message>
        <source>This page has comments that somebody added. They are kept apart; the model does not read them.</source>
        <translation>本页有他人添加的批注，已单独保存，模型不会读取。</translation>
    </message>
    <message>
        <source>Readers of this page cannot see some of its text, because {reason}. The model is not given it: “{text}”</source>
        <translation>由于{reason}，读者看不到本页的部分文字，模型不会得到这些文字：“{text}”</translation>
    </message>
    <message>
        <source>it is not painted</source>
        <translation>文字未绘制</translation>
    </message>
    <message>
        <source>it has the colour of its background</source>
        <translation>文字与背景同色</translation>
    </message>
    <message>
        <source>something covers it or cuts it off</source>
        <translation>文字被遮挡或裁切</translation>
    </message>
    <message>
        <source>it is too small to be seen</source>
        <translation>文字过小</translation>
    </message>
    <message>
        <source>it lies outside of the page</source>
        <translation>文字位于页面之外</translation>
    </message>
    <message>
        <source>it lies on a layer that is switched off</source>
        <translation>文字所在图层已关闭</translation>
    </message>
    <message>
        <source>This is an XFA form: its contents are drawn by Adobe Reader alone, and this page only asks to wait for them. Print it to PDF in Adobe Reader, then open that.</source>
        <translation>这是 XFA 表单：内容只能由 Adobe Reader 显示，本页只提示等待。请在 Adobe Reader 中打印为 PDF 后再打开。</translation>
    </message>
    <message>
        <source>File has changed</source>
        <translation>文件已更改</translation>
    </message>
    <message>
        <source>“{name}” was changed, replaced or removed after it was opened. Open it again.</source>
        <translation>“{name}”在打开后被修改、替换或删除。请重新打开。</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>“{name}” is not of a kind that can be read here. Lectern reads {kinds}. Save or print it as PDF, then open that.</source>
        <translation>“{name}”的格式无法在此读取。Lectern 可读取 {kinds}。请另存或打印为 PDF 后再打开。</translation>
    </message>
    <message>
        <source>“{name}” is damaged and could not be repaired. Get the file again from where it came from, or open it in another program and save a copy.</source>
        <translation>“{name}”已损坏且无法修复。请重新获取该文件，或用其他程序打开并另存副本。</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Choose a file inside it.</source>
        <translation>“{name}”是文件夹。请选择其中的文件。</translation>
    </message>
    <message>
        <source>“{name}” is a pipe or a device. Save what comes out of it as a file.</source>
        <translation>“{name}”是管道或设备。请先把其中的内容保存为文件。</translation>
    </message>
    <message>
        <source>This is an XFA form: only Adobe Reader draws its contents. Print it to PDF there, open that.</source>
        <translation>这是 XFA 表单，内容只能由 Adobe Reader 显示。请在其中打印为 PDF 后打开。</translation>
    </message>
    <message>
        <source>The pages have no text that a reader could see; all of it is hidden.</source>
        <translation>页面没有读者可见的文字，全部被隐藏。</translation>
    </message>
    <message>
        <source>Files attached to this document were neither opened nor read: {files}</source>
        <translation>未打开也未读取此文档的附件：{files}</translation>
    </message>
    <message>
        <source>The file holds scripts, or actions that start programs or send data. None of them is run here.</source>
        <translation>该文件含有脚本，或会启动程序、发送数据的动作。此处均不会执行。</translation>
    </message>
    <message>
        <source>The file hides some of its text from readers. The model is not given it: “{text}”</source>
        <translation>该文件向读者隐藏了部分文字，模型不会得到这些文字：“{text}”</translation>
    </message>
    <message>
        <source>No language</source>
        <translation>没有此语言</translation>
    </message>
    <message>
        <source>{name} names no languages; write for example eng or eng+deu.</source>
        <translation>{name} 不是语言名称；请写成例如 eng 或 eng+deu。</translation>
    </message>
    <message>
        <source>Text recognition is not set up</source>
        <translation>文字识别尚未设置</translation>
    </message>
    <message>
        <source>Tesseract&apos;s language data for {languages} was not found. Install it with: {command}</source>
        <translation>未找到 Tesseract 的 {languages} 语言数据。安装命令：{command}</translation>
    </message>
    <message>
        <source>The text of this page could not be recognised: it takes too long, or recognition fails.</source>
        <translation>无法识别此页的文字：耗时过长，或识别失败。</translation>
    </message>
    <message>
        <source>Text recognition (OCR) found no text in the picture on this page.</source>
        <translation>文字识别（OCR）未在此页的图片中找到文字。</translation>
    </message>
    <message>
        <source>The letters in the file are not those that are printed on this page; its fonts are damaged. Read this page with text recognition (OCR).</source>
        <translation>文件中的字母与本页印出的不一致，其字体已损坏。请用文字识别（OCR）读取本页。</translation>
    </message>
    <message>
        <source>A few letters on this page have no readable meaning, so that words are spoilt. Read this page with text recognition (OCR).</source>
        <translation>本页有少数字母无法识别，部分词语因此残缺。请用文字识别（OCR）读取本页。</translation>
    </message>
    <message>
        <source>“{name}” takes too much memory when it is unpacked. If you trust it, open it in another program and save it in several parts.</source>
        <translation>“{name}”解压后占用的内存过多。如果您信任它，请用其他程序打开并分成几部分保存。</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>Copy-protected book</source>
        <translation>受版权保护的电子书</translation>
    </message>
    <message>
        <source>“{name}” is encrypted by its publisher (DRM) and opens only in the publisher&apos;s own reader. Use a copy without this protection.</source>
        <translation>“{name}”已被出版商加密（DRM），只能用出版商自己的阅读器打开。请使用没有这种保护的副本。</translation>
    </message>
    <message>
        <source>All documents are left out</source>
        <translation>所有文档均未纳入阅读</translation>
    </message>
    <message>
        <source>Nothing is to be read. Choose documents or pages that are to be read.</source>
        <translation>没有要阅读的内容。请选择要阅读的文档或页。</translation>
    </message>
    <message>
        <source>No question</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>Nothing to answer again</source>
        <translation>没有可重新回答的问题</translation>
    </message>
    <message>
        <source>The sequence is longer than the model&apos;s context</source>
        <translation>序列超出模型的上下文</translation>
    </message>
    <message>
        <source>Write a question first.</source>
        <translation>请先写下问题。</translation>
    </message>
    <message>
        <source>Ask a question first.</source>
        <translation>请先提一个问题。</translation>
    </message>
    <message>
        <source>Even its first page does not fit into the {limit} tokens of {model}. Choose a model with a longer context.</source>
        <translation>即使只有第一页，也超出了 {model} 的 {limit} 个词元。请选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>{tokens} tokens were asked for; {model} reads {limit}.</source>
        <translation>要求 {tokens} 个词元；{model} 最多读取 {limit} 个。</translation>
    </message>
    <message>
        <source>The cache of {tokens} tokens</source>
        <translation>{tokens} 个词元的缓存</translation>
    </message>
    <message>
        <source>The next part of the cache</source>
        <translation>缓存的下一部分</translation>
    </message>
    <message>
        <source>This answer was made in sparse mode: for each word the model looked at the {budget} tokens of the document that seemed to matter most, not at all of them. Ask again in exact mode to be sure.</source>
        <translation>此回答以稀疏模式生成：模型写每个词时只查看文档中最相关的 {budget} 个词元，而不是全部内容。如需确认，请用精确模式再问一次。</translation>
    </message>
    <message>
        <source>No page fits</source>
        <translation>没有能容纳的页面</translation>
    </message>
    <message>
        <source>The pages are too long to be read one by one</source>
        <translation>页面过长，无法逐页阅读</translation>
    </message>
    <message>
        <source>Only the sections that match the question best were read: {pages}. Other pages may say more.</source>
        <translation>仅阅读了与问题最相关的章节：{pages}。其他页面可能还有更多内容。</translation>
    </message>
    <message>
        <source>Only these pages were read: {pages}. Other pages may say more.</source>
        <translation>只阅读了这些页：{pages}。其他页可能还有相关内容。</translation>
    </message>
    <message>
        <source>Left out and not read: {names}. What was not read may say more.</source>
        <translation>未纳入、未阅读：{names}。未阅读的部分可能还有相关内容。</translation>
    </message>
    <message>
        <source>Only these pages were read: {pages}. Left out and not read: {names}. What was not read may say more.</source>
        <translation>只阅读了这些页：{pages}。未纳入、未阅读：{names}。未阅读的部分可能还有相关内容。</translation>
    </message>
    <message>
        <source>The documents were read in {parts} parts, each by itself, and this answer was put together from notes on them. What connects parts that are far from each other may be missing.</source>
        <translation>文档分 {parts} 个部分分别阅读，此回答由各部分的笔记汇总而成。相距较远的部分之间的联系可能缺失。</translation>
    </message>
    <message>
        <source>A package is missing</source>
        <translation>缺少软件包</translation>
    </message>
    <message>
        <source>Model not found</source>
        <translation>找不到模型</translation>
    </message>
    <message>
        <source>Not a GGUF file</source>
        <translation>不是 GGUF 文件</translation>
    </message>
    <message>
        <source>Not a model</source>
        <translation>不是模型</translation>
    </message>
    <message>
        <source>Not a model folder</source>
        <translation>不是模型文件夹</translation>
    </message>
    <message>
        <source>Not enough disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Quantising needs a GPU</source>
        <translation>量化需要 GPU</translation>
    </message>
    <message>
        <source>Quantised experts cannot be kept in host memory</source>
        <translation>量化的专家不能放在主机内存中</translation>
    </message>
    <message>
        <source>The GGUF file cannot be read</source>
        <translation>无法读取 GGUF 文件</translation>
    </message>
    <message>
        <source>The engine cannot run this model</source>
        <translation>引擎无法运行此模型</translation>
    </message>
    <message>
        <source>The expert budget is too small</source>
        <translation>专家预算太小</translation>
    </message>
    <message>
        <source>The experts do not fit the compute device</source>
        <translation>计算设备容纳不下这些专家</translation>
    </message>
    <message>
        <source>The model could not be converted</source>
        <translation>无法转换模型</translation>
    </message>
    <message>
        <source>The model does not fit the GPU</source>
        <translation>GPU 容纳不下此模型</translation>
    </message>
    <message>
        <source>The model has no weights</source>
        <translation>模型没有权重</translation>
    </message>
    <message>
        <source>The model is damaged</source>
        <translation>模型已损坏</translation>
    </message>
    <message>
        <source>The model is incomplete</source>
        <translation>模型不完整</translation>
    </message>
    <message>
        <source>The model is quantised already</source>
        <translation>模型已经量化</translation>
    </message>
    <message>
        <source>The model needs a GPU</source>
        <translation>此模型需要 GPU</translation>
    </message>
    <message>
        <source>The model needs code of its own</source>
        <translation>此模型需要自带的代码</translation>
    </message>
    <message>
        <source>The model states no context length</source>
        <translation>模型没有给出上下文长度</translation>
    </message>
    <message>
        <source>The model&apos;s positions cannot be scaled</source>
        <translation>无法缩放此模型的位置</translation>
    </message>
    <message>
        <source>The starter model arrived damaged</source>
        <translation>收到的入门模型已损坏</translation>
    </message>
    <message>
        <source>The starter model is missing</source>
        <translation>缺少入门模型</translation>
    </message>
    <message>
        <source>Two ways to save memory that do not go together</source>
        <translation>两种节省内存的方式不能同时使用</translation>
    </message>
    <message>
        <source>Unknown quantisation</source>
        <translation>未知的量化方式</translation>
    </message>
    <message>
        <source>{model} is neither a folder with config.json and safetensors nor a .gguf file.</source>
        <translation>{model} 既不是含有 config.json 和 safetensors 的文件夹，也不是 .gguf 文件。</translation>
    </message>
    <message>
        <source>{folder} has no config.json.</source>
        <translation>{folder} 中没有 config.json。</translation>
    </message>
    <message>
        <source>{folder} misses {count} of its weight files, the first is {file}. Download it again.</source>
        <translation>{folder} 缺少 {count} 个权重文件，第一个是 {file}。请重新下载。</translation>
    </message>
    <message>
        <source>{folder} has neither model.safetensors nor model.safetensors.index.json.</source>
        <translation>{folder} 中既没有 model.safetensors，也没有 model.safetensors.index.json。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {error}.</source>
        <translation>无法读取 {file}：{error}。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {error}. Download it again.</source>
        <translation>无法读取 {file}：{error}。请重新下载。</translation>
    </message>
    <message>
        <source>{count} of its weights are not in {folder}, the first is {name}. Download it again.</source>
        <translation>有 {count} 个权重不在 {folder} 中，第一个是 {name}。请重新下载。</translation>
    </message>
    <message>
        <source>{folder} is damaged or not supported ({kind}: {error}). Download it again or choose another model.</source>
        <translation>{folder} 已损坏或不受支持（{kind}：{error}）。请重新下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>{file} is damaged or of an architecture that transformers does not read from GGUF ({kind}: {error}). Download it again or choose another model.</source>
        <translation>{file} 已损坏，或其架构无法由 transformers 从 GGUF 读取（{kind}：{error}）。请重新下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>{file} does not begin as a GGUF file does. Choose another model.</source>
        <translation>{file} 的开头与 GGUF 文件不符。请选择其他模型。</translation>
    </message>
    <message>
        <source>Writing to {folder} failed: {error}. Free some disk space and try again.</source>
        <translation>写入 {folder} 失败：{error}。请腾出一些磁盘空间后重试。</translation>
    </message>
    <message>
        <source>Converting the model needs {needed} in {folder}; {free} are free.</source>
        <translation>转换模型需要在 {folder} 中占用 {needed}；目前可用 {free}。</translation>
    </message>
    <message>
        <source>Architecture {architecture}: {reason}. Choose another model; Llama, Qwen, Gemma, Mistral, gpt-oss, Granite, OLMo and LFM models work.</source>
        <translation>架构 {architecture}：{reason}。请选择其他模型；Llama、Qwen、Gemma、Mistral、gpt-oss、Granite、OLMo 和 LFM 模型可用。</translation>
    </message>
    <message>
        <source>{count} of its {total} attention layers do not use the shared interface</source>
        <translation>{total} 个注意力层中有 {count} 个未使用通用接口</translation>
    </message>
    <message>
        <source>its code failed in the trial run ({kind})</source>
        <translation>其代码在试运行中失败（{kind}）</translation>
    </message>
    <message>
        <source>It has layers of a kind whose cache cannot be tiered: {kinds}. Choose another model.</source>
        <translation>它含有缓存无法分层的层：{kinds}。请选择其他模型。</translation>
    </message>
    <message>
        <source>Its config.json has no max_position_embeddings.</source>
        <translation>其 config.json 中没有 max_position_embeddings。</translation>
    </message>
    <message>
        <source>{name} ({architecture}) is no architecture that transformers knows; it brings Python code (auto_map in config.json), and code from model folders is never run here. Choose another model, or a newer release of Lectern.</source>
        <translation>transformers 不认识 {name}（{architecture}）的架构；它自带 Python 代码（config.json 中的 auto_map），而此处从不运行模型文件夹中的代码。请选择其他模型，或使用更新版本的 Lectern。</translation>
    </message>
    <message>
        <source>The model&apos;s weights are quantised in a way that transformers does not know ({method}). Choose another model.</source>
        <translation>模型权重的量化方式是 transformers 不认识的（{method}）。请选择其他模型。</translation>
    </message>
    <message>
        <source>Its weights are quantised ({method}) for a GPU, and torch finds none. Choose a GGUF file or a plain folder.</source>
        <translation>其权重是为 GPU 量化的（{method}），而 torch 找不到 GPU。请选择 GGUF 文件或未量化的模型文件夹。</translation>
    </message>
    <message>
        <source>The model&apos;s weights are quantised ({method}); reading them</source>
        <translation>模型权重已量化（{method}），读取它们</translation>
    </message>
    <message>
        <source>{what} needs {packages}. Install with: pip install {command}{extra}.</source>
        <translation>{what}需要 {packages}。安装命令：pip install {command}{extra}。</translation>
    </message>
    <message>
        <source>, or install Lectern with its extra gpu</source>
        <translation>，或安装带 gpu 附加项的 Lectern</translation>
    </message>
    <message>
        <source>The model&apos;s weights are {stored} on disk and {loaded} in memory, because they are dequantised.</source>
        <translation>模型权重在磁盘上占 {stored}，因反量化在内存中占 {loaded}。</translation>
    </message>
    <message>
        <source>The experts could not be pinned in host memory, so they reach the GPU at a lower speed.</source>
        <translation>专家未能锁定在主机内存中，因此传到 GPU 的速度较慢。</translation>
    </message>
    <message>
        <source>This installation cannot fetch it. {by_hand}</source>
        <translation>此安装无法下载它。{by_hand}</translation>
    </message>
    <message>
        <source>It is fetched with pip, and {python} has none: run `{program} -m ensurepip` first. Or: {by_hand}</source>
        <translation>它通过 pip 下载，而 {python} 没有 pip：请先运行 `{program} -m ensurepip`。或者：{by_hand}</translation>
    </message>
    <message>
        <source>{reason} Or: {by_hand}</source>
        <translation>{reason}或者：{by_hand}</translation>
    </message>
    <message>
        <source>There is no connection to the package index: go online and try again.</source>
        <translation>无法连接到软件包索引：请联网后重试。</translation>
    </message>
    <message>
        <source>pip says: {error}. Is this machine online?</source>
        <translation>pip 提示：{error}。此计算机是否已联网？</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无内容</translation>
    </message>
    <message>
        <source>Put the file {file} ({size} bytes, SHA-256 {sha256}; it is inside the Python package {package}) at {path}.</source>
        <translation>请将文件 {file}（{size} 字节，SHA-256 {sha256}；包含在 Python 软件包 {package} 中）放到 {path}。</translation>
    </message>
    <message>
        <source>{file} from {package} was not kept: {reason}. Try again; if this comes back, clear pip&apos;s cache with `pip cache purge`.</source>
        <translation>来自 {package} 的 {file} 未被保留：{reason}。请重试；若再次出现，请用 `pip cache purge` 清除 pip 缓存。</translation>
    </message>
    <message>
        <source>it holds {size} bytes instead of {expected}</source>
        <translation>其大小为 {size} 字节，而不是 {expected} 字节</translation>
    </message>
    <message>
        <source>its SHA-256 is {found} instead of {expected}</source>
        <translation>其 SHA-256 为 {found}，而不是 {expected}</translation>
    </message>
    <message>
        <source>it has no rotary positions (rope)</source>
        <translation>它没有旋转位置编码（rope）</translation>
    </message>
    <message>
        <source>its full-attention layers have no rotary positions (rope)</source>
        <translation>其全注意力层没有旋转位置编码（rope）</translation>
    </message>
    <message>
        <source>its code computes positions without regard to rope scaling</source>
        <translation>其代码计算位置时不考虑 rope 缩放</translation>
    </message>
    <message>
        <source>its configuration already scales them ({kind})</source>
        <translation>其配置已经对位置进行了缩放（{kind}）</translation>
    </message>
    <message>
        <source>its configuration does not say how long a context it was trained on</source>
        <translation>其配置没有说明训练时的上下文长度</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message>
        <source>The active window does not fit the hot budget</source>
        <translation>活动窗口超出热层预算</translation>
    </message>
    <message>
        <source>The hot tier is full</source>
        <translation>热层已满</translation>
    </message>
    <message>
        <source>Unknown KV compression</source>
        <translation>未知的 KV 压缩方式</translation>
    </message>
    <message>
        <source>{name}: there are {choices}.</source>
        <translation>{name}：可用的有 {choices}。</translation>
    </message>
    <message>
        <source>{count} slots were asked for and {free} are free.</source>
        <translation>需要 {count} 个槽位，只有 {free} 个空闲。</translation>
    </message>
    <message>
        <source>Part of the cache could not be pinned for the GPU ({error}): it is read at a lower speed.</source>
        <translation>部分缓存未能为 GPU 锁定（{error}）：读取速度较慢。</translation>
    </message>
    <message>
        <source>The system refused transparent huge pages ({error}): the cache uses ordinary memory.</source>
        <translation>系统拒绝了透明大页（{error}）：缓存使用普通内存。</translation>
    </message>
    <message>
        <source>Huge pages were asked for and {reason}: {fallback}</source>
        <translation>要求使用大页，但{reason}：{fallback}</translation>
    </message>
    <message>
        <source>{reason}: the cache uses {memory}.</source>
        <translation>{reason}：缓存使用{memory}。</translation>
    </message>
    <message>
        <source>the cache uses {memory}.</source>
        <translation>缓存使用{memory}。</translation>
    </message>
    <message>
        <source>ordinary memory with transparent huge pages</source>
        <translation>带透明大页的普通内存</translation>
    </message>
    <message>
        <source>ordinary memory</source>
        <translation>普通内存</translation>
    </message>
    <message>
        <source>Pinned memory was asked for and the model runs on no CUDA GPU</source>
        <translation>要求使用锁定内存，但模型不在 CUDA GPU 上运行</translation>
    </message>
    <message>
        <source>Transparent huge pages were asked for and this system has none</source>
        <translation>要求使用透明大页，但此系统没有</translation>
    </message>
    <message>
        <source>Transparent huge pages were asked for and are switched off (/sys/kernel/mm/transparent_hugepage/enabled)</source>
        <translation>要求使用透明大页，但已被关闭（/sys/kernel/mm/transparent_hugepage/enabled）</translation>
    </message>
    <message>
        <source>this system has none</source>
        <translation>此系统没有</translation>
    </message>
    <message>
        <source>those of {size} are too large to give back in parts</source>
        <translation>{size} 的大页太大，无法分部分归还</translation>
    </message>
    <message>
        <source>none are reserved (vm.nr_hugepages is 0)</source>
        <translation>没有预留（vm.nr_hugepages 为 0）</translation>
    </message>
    <message>
        <source>of the {total} reserved (vm.nr_hugepages) {free} were left when {needed} were needed</source>
        <translation>需要 {needed} 个时，预留的 {total} 个（vm.nr_hugepages）只剩 {free} 个</translation>
    </message>
    <message>
        <source>the system refused them ({error})</source>
        <translation>系统拒绝了（{error}）</translation>
    </message>
    <message>
        <source>The cache is not bound to one NUMA node: {reason}.</source>
        <translation>缓存未绑定到单个 NUMA 节点：{reason}。</translation>
    </message>
    <message>
        <source>node {node} is full, so part of the cache lies elsewhere</source>
        <translation>节点 {node} 已满，部分缓存位于别处</translation>
    </message>
    <message>
        <source>the system does not allow it ({error})</source>
        <translation>系统不允许（{error}）</translation>
    </message>
    <message>
        <source>The document cache is in use</source>
        <translation>文档缓存正在使用中</translation>
    </message>
    <message>
        <source>A program is reading or writing it now. Close the document there and try again.</source>
        <translation>另一程序正在读取或写入它。请在那里关闭文档后重试。</translation>
    </message>
    <message>
        <source>It is being written now. Try again later.</source>
        <translation>它正在写入中。请稍后再试。</translation>
    </message>
    <message>
        <source>The document cache cannot be removed</source>
        <translation>无法删除文档缓存</translation>
    </message>
    <message>
        <source>The system refused it ({reason}).</source>
        <translation>系统拒绝了此操作（{reason}）。</translation>
    </message>
    <message>
        <source>No such document cache</source>
        <translation>没有此文档缓存</translation>
    </message>
    <message>
        <source>The document cache is damaged</source>
        <translation>文档缓存已损坏</translation>
    </message>
    <message>
        <source>What was kept of this document on the disk cannot be trusted: {detail}. Ask again in a new conversation: the document is then read anew.</source>
        <translation>磁盘上保存的此文档内容不可信：{detail}。请在新的对话中重新提问：届时会重新阅读文档。</translation>
    </message>
    <message>
        <source>What was kept of this document on the disk was damaged. It was dropped and the document was read anew.</source>
        <translation>磁盘上保存的此文档阅读结果已损坏。该内容已弃用，并重新阅读了文档。</translation>
    </message>
    <message>
        <source>What sparse mode had kept of this document on the disk was damaged. It was dropped and made anew.</source>
        <translation>磁盘上保存的此文档稀疏模式数据已损坏。该内容已弃用并重新生成。</translation>
    </message>
    <message>
        <source>This document is being read elsewhere on this machine at the same time, so that what was read here is not kept on the disk.</source>
        <translation>本机的另一程序正在同时阅读此文档，因此这里的阅读结果不会保存到磁盘。</translation>
    </message>
    <message>
        <source>What was read of this document is not kept on the disk: less than {kept} of the disk would be left free. Free some of it.</source>
        <translation>已读取的文档内容没有保留在磁盘上：保留后磁盘剩余空间将少于 {kept}。请释放一些磁盘空间。</translation>
    </message>
    <message>
        <source>The disk is full: what was read of this document could not be kept in full, and a part of it has to be read again next time.</source>
        <translation>磁盘已满：此文档的阅读结果未能全部保存，下次需要重新阅读其中一部分。</translation>
    </message>
    <message>
        <source>What was read of this document could not be kept on the disk ({reason}).</source>
        <translation>无法将此文档的阅读结果保存到磁盘（{reason}）。</translation>
    </message>
    <message>
        <source>Another version of Lectern had read this document and kept it in a form that this version cannot use. The document was read anew; what the other version kept goes first when the room on the disk is needed.</source>
        <translation>此文档曾由其他版本的 Lectern 读取，但其保存格式无法在此版本中使用。文档已重新读取；磁盘空间不足时，将优先删除其他版本保存的内容。</translation>
    </message>
    <message>
        <source>it was kept by another version of Lectern</source>
        <translation>它由其他版本的 Lectern 保存</translation>
    </message>
    <message>
        <source>Not enough GPUs</source>
        <translation>GPU 数量不足</translation>
    </message>
    <message>
        <source>No such GPU</source>
        <translation>没有这个 GPU</translation>
    </message>
    <message>
        <source>The model does not fit this machine</source>
        <translation>此模型在这台电脑上放不下</translation>
    </message>
    <message>
        <source>The model may not fit this machine</source>
        <translation>此模型在这台电脑上可能放不下</translation>
    </message>
    <message>
        <source>{model} seems to need {needed}; {usable} can be used now. Its kind is not known well enough to stop it, so it is being loaded.</source>
        <translation>{model} 似乎需要 {needed}；目前可用 {usable}。对这类模型了解不足，不便阻止，因此仍在加载。</translation>
    </message>
    <message>
        <source>{model} needs {needed} of GPU memory; {usable} of it can be used now.</source>
        <translation>{model} 需要 {needed} 显存；目前可用 {usable}。</translation>
    </message>
    <message>
        <source>{model} needs {needed} of memory; {usable} of it can be used now.</source>
        <translation>{model} 需要 {needed} 内存；目前可用 {usable}。</translation>
    </message>
    <message>
        <source>The model does not fit the GPUs</source>
        <translation>这些 GPU 放不下此模型</translation>
    </message>
    <message>
        <source>The model cannot be divided among GPUs</source>
        <translation>此模型无法分到多个 GPU 上</translation>
    </message>
    <message>
        <source>Experts in host memory serve one GPU</source>
        <translation>放在内存中的专家只能服务一个 GPU</translation>
    </message>
    <message>
        <source>its attention reads something else than what its cache keeps</source>
        <translation>它的注意力读取的内容与其缓存保存的不同</translation>
    </message>
    <message>
        <source>it computes attention in code of its own, which the engine cannot reach</source>
        <translation>它用自己的代码计算注意力，引擎无法接入</translation>
    </message>
    <message>
        <source>its layers keep the past in a form that cannot be tiered</source>
        <translation>它的各层以无法分层存放的形式保存过去的内容</translation>
    </message>
    <message>
        <source>it needs Python code from its own folder, which is never run</source>
        <translation>它需要运行自带文件夹中的 Python 代码，而这类代码从不运行</translation>
    </message>
    <message>
        <source>no layer of it keeps keys and values that grow with the context</source>
        <translation>它没有任何一层保存随上下文增长的键和值</translation>
    </message>
    <message>
        <source>{tokens} tokens need {needed}; the budget is {budget}.</source>
        <translation>{tokens} 个词元需要 {needed}；预算为 {budget}。</translation>
    </message>
    <message>
        <source>The model&apos;s configuration is incomplete</source>
        <translation>模型配置不完整</translation>
    </message>
    <message>
        <source>Its config.json has no usable {key}, so nothing can be planned. Download it again or choose another model.</source>
        <translation>其 config.json 中没有可用的 {key}，因此无法规划。请重新下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>GPU {index} was asked for; {machine} has {count}, counted from 0.</source>
        <translation>请求使用 GPU {index}；{machine} 有 {count} 个，从 0 开始编号。</translation>
    </message>
    <message>
        <source>{file} holds no configuration. Download it again.</source>
        <translation>{file} 中没有配置。请重新下载。</translation>
    </message>
    <message>
        <source>The model cannot be read</source>
        <translation>无法读取模型</translation>
    </message>
    <message>
        <source>{file} is no complete GGUF file: {error}. Download it again.</source>
        <translation>{file} 不是完整的 GGUF 文件：{error}。请重新下载。</translation>
    </message>
    <message>
        <source>The model&apos;s configuration is wrong</source>
        <translation>模型配置有误</translation>
    </message>
    <message>
        <source>It states {count} layers. Download it again or choose another model.</source>
        <translation>配置中写明有 {count} 层。请重新下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>It states {heads} KV heads with keys of {keys} and values of {values} numbers. Download it again or choose another model.</source>
        <translation>配置中写明有 {heads} 个 KV 头，键为 {keys} 个数，值为 {values} 个数。请重新下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>The list of models is damaged</source>
        <translation>模型列表已损坏</translation>
    </message>
    <message>
        <source>{file}: {error}. Reinstall Lectern.</source>
        <translation>{file}：{error}。请重新安装 Lectern。</translation>
    </message>
    <message>
        <source>There is no {model}.{hint} A plan can be made for a folder with config.json, a .gguf file, {starter} and {names}.</source>
        <translation>没有 {model}。{hint}可以规划的有：含 config.json 的文件夹、.gguf 文件、{starter} 以及 {names}。</translation>
    </message>
    <message>
        <source>No such profile</source>
        <translation>没有这个配置方案</translation>
    </message>
    <message>
        <source>There is no profile {name}; there are {names}.</source>
        <translation>没有配置方案 {name}；现有 {names}。</translation>
    </message>
    <message>
        <source>The profile cannot be read</source>
        <translation>无法读取配置方案</translation>
    </message>
    <message>
        <source>{file} is too large to be a profile.</source>
        <translation>{file} 太大，不可能是配置方案。</translation>
    </message>
    <message>
        <source>Not a name for a profile</source>
        <translation>不能用作配置方案的名称</translation>
    </message>
    <message>
        <source>{name}: use letters, digits, dots, hyphens and underscores, 64 at most.</source>
        <translation>{name}：请使用英文字母、数字、点、连字符和下划线，最多 64 个字符。</translation>
    </message>
    <message>
        <source>The profile cannot be saved</source>
        <translation>无法保存配置方案</translation>
    </message>
    <message>
        <source>The profile is wrong</source>
        <translation>配置方案有误</translation>
    </message>
    <message>
        <source>{file}: {key} must be a table.</source>
        <translation>{file}：{key} 必须是一个表。</translation>
    </message>
    <message>
        <source>{file} has an unknown key {prefix}{key}; there are {names}.</source>
        <translation>{file} 含有未知的键 {prefix}{key}；可用的键有 {names}。</translation>
    </message>
    <message>
        <source>{file}: {prefix}{key} cannot be {value}; it must be {allowed}.</source>
        <translation>{file}：{prefix}{key} 不能是 {value}；必须是 {allowed}。</translation>
    </message>
    <message>
        <source>{file} has no machine.{key}.</source>
        <translation>{file} 缺少 machine.{key}。</translation>
    </message>
    <message>
        <source>{file} has no {prefix}{key}.</source>
        <translation>{file} 缺少 {prefix}{key}。</translation>
    </message>
    <message>
        <source>machine.gpus[{index}].</source>
        <translation>machine.gpus[{index}].</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>CPU only, 64 GB</source>
        <translation>仅 CPU，64 GB 内存</translation>
    </message>
    <message>
        <source>Two RTX 4090, 24 GB each</source>
        <translation>两块 RTX 4090，各 24 GB</translation>
    </message>
    <message>
        <source>The profile cannot be deleted</source>
        <translation>无法删除配置方案</translation>
    </message>
    <message>
        <source>There is no profile {name} of your own.</source>
        <translation>您没有名为 {name} 的自建配置方案。</translation>
    </message>
    <message>
        <source>A built-in profile stays as it is</source>
        <translation>内置配置方案不能改动</translation>
    </message>
    <message>
        <source>{name} comes with Lectern. Save it under another name and change that one.</source>
        <translation>{name} 随 Lectern 提供。请另存为其他名称后再修改。</translation>
    </message>
    <message>
        <source>The name is taken</source>
        <translation>名称已被占用</translation>
    </message>
    <message>
        <source>There is a profile {name} already. Choose another name.</source>
        <translation>已有名为 {name} 的配置方案。请换一个名称。</translation>
    </message>
    <message>
        <source>its code keeps the past in a cache of its own</source>
        <translation>它自己的代码用自己的缓存保存上文</translation>
    </message>
    <message>
        <source>its code chooses by computed numbers, so that it cannot be tried before its weights are loaded</source>
        <translation>它的代码根据计算出的数值做选择，因此在载入权重之前无法试运行</translation>
    </message>
    <message>
        <source>it is a part of a larger model and cannot be loaded as a language model</source>
        <translation>它是更大模型的一部分，不能作为语言模型载入</translation>
    </message>
    <message>
        <source>its rotary positions are scaled dynamically, so that they change for everything already read whenever the text grows</source>
        <translation>它的旋转位置是动态缩放的，文本每次变长，已读内容的位置都会改变</translation>
    </message>
    <message>
        <source>it has no rotary positions that could be stretched</source>
        <translation>它没有可以拉伸的旋转位置</translation>
    </message>
    <message>
        <source>it scales its positions itself, so that they cannot be stretched</source>
        <translation>它自己会缩放位置，因此不能再拉伸</translation>
    </message>
    <message>
        <source>The driver does not answer: {error}.</source>
        <translation>驱动程序没有响应：{error}。</translation>
    </message>
    <message>
        <source>Without it the model computes on the processor, many times slower.</source>
        <translation>没有它，模型只能用处理器计算，速度慢很多倍。</translation>
    </message>
    <message>
        <source>There is no NVIDIA GPU; the model computes on the processor.</source>
        <translation>没有 NVIDIA GPU；模型用处理器计算。</translation>
    </message>
    <message>
        <source>torch is not installed.</source>
        <translation>未安装 torch。</translation>
    </message>
    <message>
        <source>Nothing can be computed without it.</source>
        <translation>没有它就无法进行任何计算。</translation>
    </message>
    <message>
        <source>torch {version} was built for processors only; the driver is {driver}.</source>
        <translation>torch {version} 是仅支持处理器的版本；驱动程序为 {driver}。</translation>
    </message>
    <message>
        <source>The {size} of GPU memory stay unused.</source>
        <translation>{size} 显存会闲置。</translation>
    </message>
    <message>
        <source>The driver {driver} runs CUDA {cuda}; torch {version} needs {needed}.</source>
        <translation>驱动程序 {driver} 支持 CUDA {cuda}；torch {version} 需要 {needed}。</translation>
    </message>
    <message>
        <source>torch will not find the GPU, and the model computes on the processor, many times slower.</source>
        <translation>torch 将找不到 GPU，模型只能用处理器计算，速度慢很多倍。</translation>
    </message>
    <message>
        <source>Driver {driver}, torch {version} for CUDA {cuda}.</source>
        <translation>驱动程序 {driver}，torch {version}（CUDA {cuda}）。</translation>
    </message>
    <message>
        <source>{gpu}: {free} of {total} are free.</source>
        <translation>{gpu}：{total} 中有 {free} 空闲。</translation>
    </message>
    <message>
        <source>Other programs: {others}.</source>
        <translation>其他程序：{others}。</translation>
    </message>
    <message>
        <source>Other programs: {others}. {size} are missing for the plan.</source>
        <translation>其他程序：{others}。按此规划还缺 {size}。</translation>
    </message>
    <message>
        <source>No other program is known to hold memory.</source>
        <translation>未发现其他程序占用显存。</translation>
    </message>
    <message>
        <source>No other program is known to hold memory. {size} are missing for the plan.</source>
        <translation>未发现其他程序占用显存。按此规划还缺 {size}。</translation>
    </message>
    <message>
        <source>{program} (pid {pid}) holds some of it</source>
        <translation>{program}（pid {pid}）占用了一部分</translation>
    </message>
    <message>
        <source>{program} (pid {pid}) holds {size}</source>
        <translation>{program}（pid {pid}）占用 {size}</translation>
    </message>
    <message>
        <source>{gpu} runs at {now} and can do {most}.</source>
        <translation>{gpu} 当前以 {now} 运行，最高支持 {most}。</translation>
    </message>
    <message>
        <source>Each word part takes {now} s on the bus instead of {best} s. Try another slot.</source>
        <translation>每个词元的总线传输需要 {now} 秒，而非 {best} 秒。请换一个插槽试试。</translation>
    </message>
    <message>
        <source>At rest a GPU lowers its link; look again while an answer is written. If it stays: Each word part takes {now} s on the bus instead of {best} s.</source>
        <translation>空闲时 GPU 会降低链路速度；请在生成回答时再看一次。如果仍是如此：每个词元的总线传输需要 {now} 秒，而非 {best} 秒。</translation>
    </message>
    <message>
        <source>{available} of {total} are available.</source>
        <translation>{total} 中有 {available} 可用。</translation>
    </message>
    <message>
        <source>The plan needs {needed} and {headroom} should stay free, which is {over} too much: a machine whose memory is full hangs. Close other programs.</source>
        <translation>按此规划需要 {needed}，并应留出 {headroom} 空闲，超出了 {over}：内存占满的电脑会卡死。请关闭其他程序。</translation>
    </message>
    <message>
        <source>{size} of memory were moved to disk.</source>
        <translation>已有 {size} 内存内容被移到磁盘。</translation>
    </message>
    <message>
        <source>Memory is short already: what comes back from disk takes about {duration} at 1 GB/s. Close programs, then empty the swap.</source>
        <translation>内存已经不足：按 1 GB/s 计算，从磁盘读回大约需要 {duration}。请先关闭一些程序，再清空交换空间。</translation>
    </message>
    <message>
        <source>There is no swap.</source>
        <translation>没有交换空间。</translation>
    </message>
    <message>
        <source>When the {size} of memory are full, the system ends programs without asking.</source>
        <translation>{size} 内存占满后，系统会不经询问就结束程序。</translation>
    </message>
    <message>
        <source>{size} of swap are in use.</source>
        <translation>已使用 {size} 交换空间。</translation>
    </message>
    <message>
        <source>{free} reserved huge pages are free (vm.nr_hugepages is {total}); the cache needs {needed}.</source>
        <translation>空闲的预留大页有 {free} 个（vm.nr_hugepages 为 {total}）；缓存需要 {needed} 个。</translation>
    </message>
    <message>
        <source>The {size} of the cache would lie in ordinary memory instead.</source>
        <translation>缓存的 {size} 将改放在普通内存中。</translation>
    </message>
    <message>
        <source>{count} are reserved ({size}), enough.</source>
        <translation>已预留 {count} 个（{size}），足够。</translation>
    </message>
    <message>
        <source>{count} reserved huge pages are unused and the cache does not ask for them.</source>
        <translation>有 {count} 个预留大页未被使用，而缓存并不需要它们。</translation>
    </message>
    <message>
        <source>{size} of memory are closed to all other programs.</source>
        <translation>其他程序都无法使用这 {size} 内存。</translation>
    </message>
    <message>
        <source>They are switched off.</source>
        <translation>已关闭。</translation>
    </message>
    <message>
        <source>The cache of {size} lies in {count} pages of 4 KiB, and filling and pinning each costs time.</source>
        <translation>{size} 的缓存分布在 {count} 个 4 KiB 的页中，填充和锁定每一页都要花时间。</translation>
    </message>
    <message>
        <source>They are on ({mode}).</source>
        <translation>已开启（{mode}）。</translation>
    </message>
    <message>
        <source>A program may lock {limit} of memory; the cache is {size}.</source>
        <translation>每个程序可锁定 {limit} 内存；缓存为 {size}。</translation>
    </message>
    <message>
        <source>Some drivers count memory that is pinned for the GPU against this limit. Unpinned memory is read two to three times slower: {size} cross the bus for each word part. The command takes effect at the next login.</source>
        <translation>有些驱动程序会把为 GPU 锁定的内存计入此限制。未锁定的内存读取速度慢两到三倍：每个词元要经总线传输 {size}。该命令在下次登录后生效。</translation>
    </message>
    <message>
        <source>There is no limit on locked memory.</source>
        <translation>锁定内存没有限制。</translation>
    </message>
    <message>
        <source>Up to {size} may be locked.</source>
        <translation>最多可锁定 {size}。</translation>
    </message>
    <message>
        <source>This machine has {count} memory nodes.</source>
        <translation>这台电脑有 {count} 个内存节点。</translation>
    </message>
    <message>
        <source>Cache on the node far from the GPU is read more slowly: about {far} s instead of {near} s for each word part.</source>
        <translation>位于远离 GPU 的节点上的缓存读取更慢：每个词元约 {far} 秒，而非 {near} 秒。</translation>
    </message>
    <message>
        <source>vm.overcommit_memory is 2 and only {size} may still be promised to programs.</source>
        <translation>vm.overcommit_memory 为 2，且只剩 {size} 可以分配给程序。</translation>
    </message>
    <message>
        <source>The plan needs {size}: the system would refuse it although memory is free.</source>
        <translation>按此规划需要 {size}：即使内存空闲，系统也会拒绝。</translation>
    </message>
    <message>
        <source>vm.overcommit_memory is {mode}.</source>
        <translation>vm.overcommit_memory 为 {mode}。</translation>
    </message>
    <message>
        <source>{free} are free in {folder}.</source>
        <translation>{folder} 所在磁盘有 {free} 空闲。</translation>
    </message>
    <message>
        <source>{folder} takes {speed} a second.</source>
        <translation>{folder} 的写入速度为每秒 {speed}。</translation>
    </message>
    <message>
        <source>No language data was found.</source>
        <translation>未找到语言数据。</translation>
    </message>
    <message>
        <source>Scanned pages have no text for the model: of a document that is only scans it reads 0 bytes.</source>
        <translation>扫描页没有可供模型读取的文字：如果文档全是扫描页，模型读到的是 0 字节。</translation>
    </message>
    <message>
        <source>Languages: {names}.</source>
        <translation>语言：{names}。</translation>
    </message>
    <message>
        <source>{what} Only {room} may still be promised to programs.</source>
        <translation>{what}只剩 {room} 可以分配给程序。</translation>
    </message>
    <message>
        <source>The page file is {size}.</source>
        <translation>页面文件为 {size}。</translation>
    </message>
    <message>
        <source>Windows promises no memory that it could not back: the plan needs {needed}, {missing} more.</source>
        <translation>Windows 不会分配无法兑现的内存：按此规划需要 {needed}，还差 {missing}。</translation>
    </message>
    <message>
        <source>{strategy} does not exist on Windows: the cache uses ordinary memory.</source>
        <translation>Windows 上没有 {strategy}：缓存使用普通内存。</translation>
    </message>
    <message>
        <source>The {size} of the cache lie in pages of 4 KiB; answers stay the same.</source>
        <translation>缓存的 {size} 位于 4 KiB 的页中；回答不受影响。</translation>
    </message>
    <message>
        <source>The cache uses ordinary memory, as always on Windows.</source>
        <translation>缓存使用普通内存，在 Windows 上一向如此。</translation>
    </message>
    <message>
        <source>With {where} pinned memory is scarce and may be charged against the memory of the GPU.</source>
        <translation>在{where}下，锁页内存很有限，而且可能计入显存。</translation>
    </message>
    <message>
        <source>the Linux subsystem</source>
        <translation>Linux 子系统</translation>
    </message>
    <message>
        <source>a GPU that also drives the desktop (WDDM)</source>
        <translation>同时驱动桌面的 GPU（WDDM）</translation>
    </message>
    <message>
        <source>Up to {size} could be missing on the GPU. Left to itself (auto) the cache is not pinned here.</source>
        <translation>GPU 上可能少掉多达 {size}。选择自动时，缓存在这里不会锁页。</translation>
    </message>
    <message>
        <source>The GPU runs without a desktop (TCC).</source>
        <translation>GPU 不驱动桌面（TCC）。</translation>
    </message>
    <message>
        <source>Not the name of a model</source>
        <translation>不是模型名称</translation>
    </message>
    <message>
        <source>{model} has not the form organisation/name.</source>
        <translation>{model} 不符合“组织/名称”的格式。</translation>
    </message>
    <message>
        <source>The model cannot be stored</source>
        <translation>无法保存模型</translation>
    </message>
    <message>
        <source>The model is being downloaded already</source>
        <translation>该模型正在下载</translation>
    </message>
    <message>
        <source>Another Lectern writes to {folder}. Wait until it is done.</source>
        <translation>另一个 Lectern 正在写入 {folder}。请等它完成。</translation>
    </message>
    <message>
        <source>The publisher wants to be asked first</source>
        <translation>需要先征得发布者同意</translation>
    </message>
    <message>
        <source>{model} is given only to people who have accepted its terms. Open {server}/{page} in a browser, log in and accept them; then {hint}</source>
        <translation>{model} 只提供给接受其条款的人。请在浏览器中打开 {server}/{page}，登录并接受条款；{hint}</translation>
    </message>
    <message>
        <source>create a token at {server}/settings/tokens, set it as the environment variable HF_TOKEN and try again.</source>
        <translation>请在 {server}/settings/tokens 创建令牌，设为环境变量 HF_TOKEN，然后重试。</translation>
    </message>
    <message>
        <source>{server} shows no model {model} to strangers. {reason}Check the spelling. If the model is private or has terms to accept, {hint}</source>
        <translation>{server} 不向未登录者显示模型 {model}。{reason}请检查拼写。如果该模型是私有的或需要接受条款，{hint}</translation>
    </message>
    <message>
        <source>The token in HF_TOKEN may be wrong or expired. </source>
        <translation>HF_TOKEN 中的令牌可能有误或已过期。</translation>
    </message>
    <message>
        <source>There is no {model} on {server}, or a file of it is gone. Check the spelling: it is organisation/name, as in the address of the model&apos;s page.</source>
        <translation>{server} 上没有 {model}，或者它的某个文件已不存在。请检查拼写：格式为“组织/名称”，与模型页面地址中的一致。</translation>
    </message>
    <message>
        <source>Too many requests</source>
        <translation>请求过多</translation>
    </message>
    <message>
        <source>{server} asks for a pause. Wait some minutes; what has come is kept.</source>
        <translation>{server} 要求暂停访问。请等待几分钟；已下载的部分会保留。</translation>
    </message>
    <message>
        <source>The server failed</source>
        <translation>服务器出错</translation>
    </message>
    <message>
        <source>{server} answered with status {status}. Try again later; what has come is kept.</source>
        <translation>{server} 返回状态码 {status}。请稍后重试；已下载的部分会保留。</translation>
    </message>
    <message>
        <source>No connection to the model server</source>
        <translation>无法连接模型服务器</translation>
    </message>
    <message>
        <source>HF_HUB_OFFLINE forbids it</source>
        <translation>HF_HUB_OFFLINE 禁止联网</translation>
    </message>
    <message>
        <source>the server sent less than it announced</source>
        <translation>服务器发送的数据少于它声明的大小</translation>
    </message>
    <message>
        <source>Not a model that Lectern can load</source>
        <translation>不是 Lectern 能加载的模型</translation>
    </message>
    <message>
        <source>The server&apos;s answer cannot be read</source>
        <translation>无法理解服务器的答复</translation>
    </message>
    <message>
        <source>{server} does not describe {model} as a Hugging Face Hub does. Check HF_ENDPOINT and the network: a log-in page of a public network may have answered.</source>
        <translation>{server} 没有像 Hugging Face Hub 那样描述 {model}。请检查 HF_ENDPOINT 和网络：答复的可能是公共网络的登录页面。</translation>
    </message>
    <message>
        <source>The download is damaged</source>
        <translation>下载的文件已损坏</translation>
    </message>
    <message>
        <source>The model is not on this machine</source>
        <translation>模型不在这台电脑上</translation>
    </message>
    <message>
        <source>The download is not complete</source>
        <translation>下载不完整</translation>
    </message>
    <message>
        <source>the compute device refused it</source>
        <translation>计算设备拒绝了这次分配</translation>
    </message>
    <message>
        <source>This answer was made in window mode: the model saw only the beginning of the document and the newest {window} tokens. Of a document longer than that, most was not looked at. Ask again in exact mode to be sure.</source>
        <translation>此回答是在窗口模式下得出的：模型只看到了文档的开头和最新的 {window} 个 token。如果文档比这更长，其中大部分内容没有被看过。要确认答案，请用精确模式再问一次。</translation>
    </message>
    <message>
        <source>The model&apos;s numbers overflowed</source>
        <translation>模型的数值溢出</translation>
    </message>
    <message>
        <source>Memory ran out while this answer was prepared, so the text was read in steps of {tokens} tokens. Nothing was left out; it took longer.</source>
        <translation>准备此回答时内存不足，因此文本改为每步读取 {tokens} 个 token。没有遗漏任何内容，只是花了更长时间。</translation>
    </message>
    <message>
        <source>Memory ran out while this answer was prepared, so {size} of the hot tier were given back. Nothing was left out; it took longer.</source>
        <translation>准备此回答时内存不足，因此释放了热层的 {size}。没有遗漏任何内容，只是花了更长时间。</translation>
    </message>
    <message>
        <source>Its rotary positions are scaled dynamically: they change for all that was already read whenever the text grows, so that nothing of it could be kept. Choose another model, or set rope_type to default in its config.json: it then reads up to {tokens} tokens.</source>
        <translation>它的旋转位置编码是动态缩放的：文本每变长一次，已读内容的位置都会改变，因此已读内容无法保留。请选择其他模型，或在它的 config.json 中把 rope_type 设为 default：这样它最多可读取 {tokens} 个 token。</translation>
    </message>
    <message>
        <source> It is not on this machine.</source>
        <translation>它不在这台电脑上。</translation>
    </message>
    <message>
        <source>Download {model} in the settings, under “Profile and model”.</source>
        <translation>请在设置的“配置方案与模型”中下载 {model}。</translation>
    </message>
    <message>
        <source>{model} is only in part on this machine. Go on with it in the settings, under “Profile and model”.</source>
        <translation>{model} 只有一部分在这台电脑上。请在设置的“配置方案与模型”中继续下载。</translation>
    </message>
    <message>
        <source>{file}: {error}. Free some space or choose another folder with the environment variable LECTERN_CACHE_DIR; what has come is kept.</source>
        <translation>{file}：{error}。请腾出一些空间，或用环境变量 LECTERN_CACHE_DIR 选择其他文件夹；已下载的部分会保留。</translation>
    </message>
    <message>
        <source>{server} cannot be reached ({reason}). Check the connection and try again: what has come is kept. Models that are on this machine work without a connection.</source>
        <translation>无法访问 {server}（{reason}）。请检查网络连接后重试：已下载的部分会保留。这台电脑上已有的模型无需联网即可使用。</translation>
    </message>
    <message>
        <source>{model} needs {needed} more in {folder}; {free} are free. Free some space, or choose another folder with the environment variable LECTERN_CACHE_DIR.</source>
        <translation>{model} 在 {folder} 中还需要 {needed}；目前可用 {free}。请腾出一些空间，或用环境变量 LECTERN_CACHE_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>{model} has no config.json with safetensors weights. Pickled weights are never downloaded; a GGUF file can be downloaded by hand and chosen in the settings.</source>
        <translation>{model} 没有 config.json 和 safetensors 权重。绝不下载 pickle 格式的权重；可以手动下载 GGUF 文件，再到设置中选用。</translation>
    </message>
    <message>
        <source>{file} came with a wrong checksum and was removed. Try again: only this file is downloaded anew.</source>
        <translation>{file} 的校验和不符，已删除。请重试：只会重新下载这个文件。</translation>
    </message>
    <message>
        <source>There is no {model}. Choose a folder with config.json and safetensors files, a .gguf file, or {starter} in the settings.</source>
        <translation>{model} 不存在。请在设置中选择含有 config.json 和 safetensors 文件的文件夹、.gguf 文件或 {starter}。</translation>
    </message>
    <message>
        <source>{error} ({file}). It needs about 200 MB in {folder}: free some space, or name another folder in the environment variable LECTERN_CACHE_DIR.</source>
        <translation>{error}（{file}）。它需要在 {folder} 中占用约 200 MB：请腾出空间，或用环境变量 LECTERN_CACHE_DIR 指定其他文件夹。</translation>
    </message>
    <message>
        <source>“{name}” could not be read within {seconds} seconds. Split it with another PDF program and open the parts.</source>
        <translation>“{name}”未能在 {seconds} 秒内读完。请用其他 PDF 程序将其拆分，再打开各部分。</translation>
    </message>
    <message>
        <source>{file} is missing. Reinstall Lectern, or open a document of your own.</source>
        <translation>缺少 {file}。请重新安装 Lectern，或打开您自己的文档。</translation>
    </message>
    <message>
        <source>{file} cannot be read ({error}). Reinstall Lectern, or open a document of your own.</source>
        <translation>无法读取 {file}（{error}）。请重新安装 Lectern，或打开您自己的文档。</translation>
    </message>
    <message>
        <source>Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer included. Nothing was cut. Choose a model with a longer context in the settings; the first {fitting} pages would fit this one.</source>
        <translation>共 {pages} 页，{tokens} 个词元；{model} 连同问题和回答最多读取 {limit} 个。内容未被截断。请在设置中选择上下文更长的模型；此模型可容纳前 {fitting} 页。</translation>
    </message>
    <message>
        <source>{what} needs {needed}; {usable} of this machine&apos;s {total} can be used now. Close other programs or open a shorter document.</source>
        <translation>{what}需要 {needed}；此计算机共有 {total}，目前可用 {usable}。请关闭其他程序，或打开较短的文档。</translation>
    </message>
    <message>
        <source>The system refused {size} for the cache ({error}). Close other programs or open a shorter document.</source>
        <translation>系统拒绝为缓存分配 {size}（{error}）。请关闭其他程序，或打开较短的文档。</translation>
    </message>
    <message>
        <source>The compute device ran out of memory. Close other programs that use it, or choose a smaller model in the settings; your document and conversation are kept.</source>
        <translation>计算设备的内存已用尽。请关闭占用它的其他程序，或在设置中选择较小的模型；您的文档和对话已保留。</translation>
    </message>
    <message>
        <source>The KV cache was asked for on a GPU and torch finds none. Let Lectern choose its place, or check the driver.</source>
        <translation>要求将 KV 缓存放在 GPU 上，而 torch 找不到 GPU。请让 Lectern 自行选择位置，或检查驱动程序。</translation>
    </message>
    <message>
        <source>{tokens} tokens need {needed}; the budget is {budget}. Raise the hot budget or lower the active window.</source>
        <translation>{tokens} 个词元需要 {needed}；预算为 {budget}。请提高热层预算，或缩小活动窗口。</translation>
    </message>
    <message>
        <source>Its weights are larger than the free memory of the GPU. Close other programs that use it, or choose a smaller model.</source>
        <translation>其权重大于 GPU 的可用内存。请关闭占用 GPU 的其他程序，或选择较小的模型。</translation>
    </message>
    <message>
        <source>One expert takes {size}; the budget is {budget}. Raise the expert budget.</source>
        <translation>一个专家需要 {size}；预算为 {budget}。请提高专家预算。</translation>
    </message>
    <message>
        <source>{size} were asked for. Lower the expert budget.</source>
        <translation>要求 {size}。请降低专家预算。</translation>
    </message>
    <message>
        <source>The model has no experts that could be kept in host memory: the expert budget does nothing.</source>
        <translation>此模型没有可放在主机内存中的专家：专家预算不起作用。</translation>
    </message>
    <message>
        <source>Without a GPU the expert budget saves nothing and costs copies.</source>
        <translation>没有 GPU 时，专家预算不节省任何内存，反而增加复制。</translation>
    </message>
    <message>
        <source>The model&apos;s weights are quantised ({method}); the expert budget works with plain weights. Leave it out.</source>
        <translation>模型权重已量化（{method}）；专家预算只适用于未量化的权重。请不要使用。</translation>
    </message>
    <message>
        <source>Its weights are stored as {method}; quantisation to {kind} works with plain weights. Leave it out.</source>
        <translation>其权重以 {method} 存储；量化为 {kind} 只适用于未量化的权重。请不要使用。</translation>
    </message>
    <message>
        <source>Quantisation and the expert budget both change where weights lie. Choose one of them.</source>
        <translation>量化和专家预算都会改变权重的存放方式。请只选其一。</translation>
    </message>
    <message>
        <source>Quantisation to {kind} works on an NVIDIA GPU, and torch finds none. Leave it out, or choose a model that is small enough.</source>
        <translation>量化为 {kind} 需要 NVIDIA GPU，而 torch 找不到。请不要使用，或选择足够小的模型。</translation>
    </message>
    <message>
        <source>Quantisation to {kind}</source>
        <translation>量化为 {kind}</translation>
    </message>
    <message>
        <source>Rope scaling does not work with this model: {reason}. Leave it out.</source>
        <translation>rope 缩放不适用于此模型：{reason}。请不要使用。</translation>
    </message>
    <message>
        <source>Dividing the cache needs two GPUs or more and torch finds {count}. Choose another profile.</source>
        <translation>划分缓存需要至少两个 GPU，而 torch 找到 {count} 个。请选择其他配置方案。</translation>
    </message>
    <message>
        <source>The profile names GPU {absent}; the GPUs of this machine are: {present}.</source>
        <translation>配置方案指定了 GPU {absent}；这台电脑的 GPU 为：{present}。</translation>
    </message>
    <message>
        <source>The profile names a GPU and torch finds none. Choose another profile, or check the driver.</source>
        <translation>配置方案指定了 GPU，而 torch 没有找到。请选择其他配置方案，或检查驱动程序。</translation>
    </message>
    <message>
        <source>The expert budget and layers divided among GPUs do not go together. Choose another profile.</source>
        <translation>专家预算与多 GPU 分层不能同时使用。请选择其他配置方案。</translation>
    </message>
    <message>
        <source>Its weights take {size}, up to {piece} of them in one piece that cannot be divided; the GPUs have {free} free. Choose a smaller model, or close other programs that use the GPUs.</source>
        <translation>其权重需要 {size}，其中最大有 {piece} 是不可分割的一整块；这些 GPU 空闲 {free}。请选择更小的模型，或关闭占用这些 GPU 的其他程序。</translation>
    </message>
    <message>
        <source>{model} is not built from one list of layers. Choose a profile for one GPU, or another model.</source>
        <translation>{model} 不是由单一的层列表构成。请选择单 GPU 的配置方案，或其他模型。</translation>
    </message>
    <message>
        <source>{machine} has none. Choose a profile without quantisation.</source>
        <translation>{machine} 没有 GPU。请选择不含量化的配置方案。</translation>
    </message>
    <message>
        <source>The cache of this context is {size} and cannot be kept: it would be computed again the next time. Choose another folder with the environment variable LECTERN_CACHE_DIR.</source>
        <translation>此上下文的缓存为 {size}，无法保存：下次需要重新计算。请用环境变量 LECTERN_CACHE_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Keeping a cache of {size} takes {duration}. Choose a faster disk with the environment variable LECTERN_CACHE_DIR.</source>
        <translation>保存 {size} 的缓存需要 {duration}。请用环境变量 LECTERN_CACHE_DIR 选择更快的磁盘。</translation>
    </message>
    <message>
        <source>Some keys or values of this model are larger than float16 can hold. They were cut to the largest number it holds, so that answers may be less precise.</source>
        <translation>此模型的部分键或值超出了 float16 的表示范围，已被截断为其最大值，因此回答可能不够精确。</translation>
    </message>
    <message>
        <source>This model has one way to read texts of up to {original} tokens and another for longer ones; all texts are read the second way.</source>
        <translation>此模型读取不超过 {original} 个 token 的文本用一种方式，读取更长的文本用另一种方式；现在所有文本都用第二种方式读取。</translation>
    </message>
    <message>
        <source>Numbers that the model computed on the way are too large for {dtype}, so that its answer would be worthless. Choose another model.</source>
        <translation>模型计算过程中的数值超出了 {dtype} 的范围，得出的回答没有意义。请选择其他模型。</translation>
    </message>
    <message>
        <source>After {cached} tokens there is no memory for the next {tokens} ({reason}), and nothing is left to be given up; the sealed cache takes {size} of host memory. What was read is kept. Close other programs and ask again, or choose a smaller model or a stronger compression of the cache in the settings.</source>
        <translation>在 {cached} 个 token 之后，没有内存容纳接下来的 {tokens} 个（{reason}），也没有可以再释放的内存；已封存的缓存占用 {size} 主机内存。已读取的内容会保留。请关闭其他程序后再问一次，或者改用更小的模型，或在设置中选择更强的缓存压缩。</translation>
    </message>
    <message>
        <source>{name} is not kept on the disk any more.</source>
        <translation>{name} 已不在磁盘上。</translation>
    </message>
    <message>
        <source>What was read of this document is not kept on the disk: it would take {needed}, and {quota} are allowed for all documents together. Allow more in the settings, or free some of the disk.</source>
        <translation>此文档的阅读结果未保存到磁盘：需要 {needed}，而所有文档合计上限为 {quota}。请在设置中提高上限，或释放磁盘空间。</translation>
    </message>
    <message>
        <source>The positions of this model cannot be stretched.</source>
        <translation>此模型的位置无法拉伸。</translation>
    </message>
    <message>
        <source>{budget} tokens may be read at once and no page that matters is that short; {model} reads {limit} with question and answer. Allow a shorter answer or choose a model with a longer context.</source>
        <translation>一次最多可读 {budget} 个词元，没有足够短的相关页面；{model} 连同问题和回答最多读取 {limit} 个词元。请缩短回答，或选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>{budget} tokens may be read at once and a page, or the notes on all parts, need more. Choose a model with a longer context.</source>
        <translation>一次最多可读 {budget} 个词元，而某一页或各部分的笔记需要更多。请选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>Documents, conversation and question are {tokens} tokens and {model} takes {limit}. Start a new conversation or ask shorter.</source>
        <translation>文档、对话和问题共 {tokens} 个词元，而 {model} 最多容纳 {limit} 个。请开始新的对话，或缩短问题。</translation>
    </message>
    <message>
        <source>Something went wrong in Lectern</source>
        <translation>Lectern 出现问题</translation>
    </message>
    <message>
        <source>The step was not finished; your document is unchanged. The details are in the log file.</source>
        <translation>此步骤未完成，您的文档没有改动。详情见日志文件。</translation>
    </message>
    <message>
        <source>The answer ends early: the limit of new tokens was reached.</source>
        <translation>回答提前结束：已达到新词元数量的上限。</translation>
    </message>
    <message>
        <source>The answer ends early: the model&apos;s context is full.</source>
        <translation>回答提前结束：模型的上下文已满。</translation>
    </message>
    <message>
        <source>The file is damaged and was repaired while it was opened; parts of it may be missing.</source>
        <translation>文件已损坏，打开时已修复；部分内容可能缺失。</translation>
    </message>
    <message>
        <source>This page is a picture without text. It can be read with text recognition (OCR).</source>
        <translation>此页是没有文字的图片。可通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>The conversation is not in the library</source>
        <translation>资料库中没有该对话</translation>
    </message>
    <message>
        <source>It was deleted in the meantime.</source>
        <translation>它已被删除。</translation>
    </message>
    <message>
        <source>The document is not in the library</source>
        <translation>资料库中没有该文档</translation>
    </message>
    <message>
        <source>It was removed in the meantime.</source>
        <translation>它已被移除。</translation>
    </message>
    <message>
        <source>The question is not in the library</source>
        <translation>资料库中没有该问题</translation>
    </message>
    <message>
        <source>{name} was removed just now.</source>
        <translation>{name} 刚刚被移除。</translation>
    </message>
    <message>
        <source>The library cannot be used</source>
        <translation>无法使用资料库</translation>
    </message>
    <message>
        <source>{path}: {reason}. Nothing is saved until then.</source>
        <translation>{path}：{reason}。在此之前的内容不会保存。</translation>
    </message>
    <message>
        <source>Your work cannot be saved</source>
        <translation>无法保存您的工作</translation>
    </message>
    <message>
        <source>The disk that holds {path} is full. Free some space; what you do until then is not saved.</source>
        <translation>{path} 所在的磁盘已满。请释放空间；在此之前的操作不会保存。</translation>
    </message>
    <message>
        <source>{path} or its folder cannot be written. Check who may write there; what you do until then is not saved.</source>
        <translation>{path} 或其文件夹无法写入。请检查写入权限；在此之前的操作不会保存。</translation>
    </message>
    <message>
        <source>The library is in use</source>
        <translation>资料库正被占用</translation>
    </message>
    <message>
        <source>Another program keeps {path} locked. Close it and try again.</source>
        <translation>另一程序锁定了 {path}。请关闭后重试。</translation>
    </message>
    <message>
        <source>The library is damaged</source>
        <translation>资料库已损坏</translation>
    </message>
    <message>
        <source>{path} cannot be read as a whole. Start Lectern again: the file is then set aside and what can be read is copied into a new one.</source>
        <translation>{path} 无法完整读取。请重新启动 Lectern：该文件会另行保留，可读取的内容将复制到新文件。</translation>
    </message>
    <message>
        <source>The library was damaged</source>
        <translation>资料库已损坏</translation>
    </message>
    <message>
        <source>The finding is not in the library</source>
        <translation>资料库中没有该审查结果</translation>
    </message>
    <message>
        <source>The library is from a newer version</source>
        <translation>资料库来自更新的版本</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of Lectern and was left as it is. Update Lectern to see your conversations and findings; what you do until then is not saved.</source>
        <translation>{path} 由更新版本的 Lectern 写入，未作改动。请更新 Lectern 以查看对话和审查结果；在此之前的操作不会保存。</translation>
    </message>
    <message>
        <source>The library was damaged and was built anew: {conversations} conversations with {questions} questions and {findings} findings could be read and were kept. The damaged file lies beside it as {name}.</source>
        <translation>资料库曾损坏，现已重建：读取并保留了 {conversations} 个对话、{questions} 个问题和 {findings} 条审查结果。损坏的文件保留在旁边，名为 {name}。</translation>
    </message>
    <message>
        <source>The checklist cannot be read</source>
        <translation>无法读取清单</translation>
    </message>
    <message>
        <source>{path} is too large to be a checklist.</source>
        <translation>{path} 过大，不是清单文件。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the file is not in UTF-8.</source>
        <translation>{path} 第 {line} 行：文件不是 UTF-8 编码。</translation>
    </message>
    <message>
        <source>The checklist is wrong</source>
        <translation>清单有误</translation>
    </message>
    <message>
        <source> There are {count} more problems.</source>
        <translation> 另有 {count} 个问题。</translation>
    </message>
    <message>
        <source>The checklist cannot be saved</source>
        <translation>无法保存清单</translation>
    </message>
    <message>
        <source>A text holds half a character: {character}.</source>
        <translation>文本中含有不完整的字符：{character}。</translation>
    </message>
    <message>
        <source>No such checklist</source>
        <translation>没有此清单</translation>
    </message>
    <message>
        <source>There is no checklist {name}; there are {names}.</source>
        <translation>没有清单 {name}；现有 {names}。</translation>
    </message>
    <message>
        <source>The checklist cannot be deleted</source>
        <translation>无法删除清单</translation>
    </message>
    <message>
        <source>{name} is none of your own checklists.</source>
        <translation>{name} 不是您自己的清单。</translation>
    </message>
    <message>
        <source>Not a name for a checklist</source>
        <translation>不能用作清单名称</translation>
    </message>
    <message>
        <source>The report cannot be saved</source>
        <translation>无法保存报告</translation>
    </message>
    <message>
        <source>Unknown kind of file</source>
        <translation>未知的文件类型</translation>
    </message>
    <message>
        <source>A report ends in {kinds} or {kind}, not in {suffix}.</source>
        <translation>报告的扩展名应为 {kinds} 或 {kind}，而不是 {suffix}。</translation>
    </message>
    <message>
        <source>Memory ran out while questions were answered together, so that fewer were answered at a time: {rows} at least. Nothing was left out; it took longer.</source>
        <translation>同时回答多个问题时内存不足，因此减少了一次回答的问题数：最少时为 {rows} 个。没有遗漏任何内容，只是用时更长。</translation>
    </message>
    <message>
        <source>This row is still running</source>
        <translation>此行仍在进行</translation>
    </message>
    <message>
        <source>Wait for row {name} or stop it.</source>
        <translation>请等待第 {name} 行完成，或将其停止。</translation>
    </message>
</context>
<context>
    <name>DeleteDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Delete this conversation?</source>
        <translation>删除这个对话？</translation>
    </message>
    <message>
        <source>“{title}” goes with all its questions and answers, and cannot be brought back.</source>
        <translation>“{title}”及其所有问题和回答都将被删除，无法恢复。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep the conversation</source>
        <translation>保留对话</translation>
    </message>
</context>
<context>
    <name>DetailPane</name>
    <message>
        <source>No question selected</source>
        <translation>未选择问题</translation>
    </message>
    <message>
        <source>Not asked yet.</source>
        <translation>尚未提问。</translation>
    </message>
    <message>
        <source>Waiting for its turn.</source>
        <translation>正在排队。</translation>
    </message>
    <message>
        <source>Stopped. What came so far is not kept.</source>
        <translation>已停止。目前的内容不会保存。</translation>
    </message>
    <message>
        <source>Its quote was not found in the document.</source>
        <translation>其引文在文件中未找到。</translation>
    </message>
    <message>
        <source>It quotes nothing, so that nothing could be verified.</source>
        <translation>答案没有引文，无法核实。</translation>
    </message>
    <message>
        <source>Verified on page {page}.</source>
        <translation>已在第 {page} 页核实。</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Accept the answer (A in the table); again takes it back</source>
        <translation>接受答案（表格中按 A）；再按一次撤回</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>驳回</translation>
    </message>
    <message>
        <source>Reject the answer (R in the table); again takes it back</source>
        <translation>驳回答案（表格中按 R）；再按一次撤回</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Ask this question again (F5 in the table)</source>
        <translation>重新提出此问题（表格中按 F5）</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this question alone (S in the table)</source>
        <translation>仅停止这个问题（在表格中按 S）</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Comment (C in the table); Enter keeps it</source>
        <translation>备注（表格中按 C）；按 Enter 保存</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>The answer in full</source>
        <translation>完整答案</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Page {number} is not read by the model.</source>
        <translation>模型不阅读第 {number} 页。</translation>
    </message>
</context>
<context>
    <name>DownloadStrip</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <comment>a button and its model</comment>
        <translation>{action}：{name}</translation>
    </message>
    <message>
        <source>Downloading {name}</source>
        <translation>正在下载 {name}</translation>
    </message>
    <message>
        <source>The download of {name} was stopped. What has come is kept.</source>
        <translation>{name} 的下载已停止。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>The download of {name} failed. What has come is kept.</source>
        <translation>{name} 下载失败。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>{name} is complete and in use.</source>
        <translation>{name} 已下载完成，正在使用。</translation>
    </message>
    <message>
        <source>{name} is complete and can be used now.</source>
        <translation>{name} 已下载完成，现在可以使用。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用此模型</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to open</source>
        <translation>松开即可打开</translation>
    </message>
</context>
<context>
    <name>ErrorDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
</context>
<context>
    <name>EvidenceEntry</name>
    <message>
        <source>p. {number}</source>
        <translation>第 {number} 页</translation>
    </message>
    <message>
        <source>p. {number} (printed {label})</source>
        <translation>第 {number} 页（印刷页码 {label}）</translation>
    </message>
    <message>
        <source>Goes to the page and marks the passage.</source>
        <translation>转到该页并标出这段文字。</translation>
    </message>
</context>
<context>
    <name>EvidenceList</name>
    <message>
        <source>Looked at: p. {numbers}</source>
        <translation>看过的页：{numbers}</translation>
    </message>
    <message>
        <source>The model looked here most while it wrote. That is no proof of what it says.</source>
        <translation>模型写作时主要看的是这些地方。这并不能证明它所说的内容。</translation>
    </message>
</context>
<context>
    <name>FindingRow</name>
    <message>
        <source>In order</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Swap space</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>Promised memory</source>
        <translation>内存分配承诺</translation>
    </message>
    <message>
        <source>GPU driver</source>
        <translation>GPU 驱动程序</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Bus to the GPU</source>
        <translation>GPU 总线</translation>
    </message>
    <message>
        <source>Transparent huge pages</source>
        <translation>透明大页</translation>
    </message>
    <message>
        <source>Reserved huge pages</source>
        <translation>预留大页</translation>
    </message>
    <message>
        <source>Locked memory</source>
        <translation>锁定内存</translation>
    </message>
    <message>
        <source>Memory nodes</source>
        <translation>内存节点</translation>
    </message>
    <message>
        <source>Page file</source>
        <translation>页面文件</translation>
    </message>
    <message>
        <source>Kind of memory</source>
        <translation>内存类型</translation>
    </message>
    <message>
        <source>Pinned memory</source>
        <translation>锁页内存</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>磁盘空间</translation>
    </message>
    <message>
        <source>Speed of the disk</source>
        <translation>磁盘速度</translation>
    </message>
    <message>
        <source>Text recognition</source>
        <translation>文字识别</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>FitDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>There is no room for “{model}”</source>
        <translation>放不下“{model}”</translation>
    </message>
    <message>
        <source>Nothing was loaded. A machine whose memory is full stands still for minutes. Choose a change that makes it fit, or load it anyway; Lectern will remember that for this model.</source>
        <translation>尚未加载任何内容。内存占满的电脑会卡住好几分钟。请选择一项能放得下的更改，或仍然加载；Lectern 会为此模型记住这一选择。</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>仍然加载</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Read less…</source>
        <translation>少读一些…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>FitView</name>
    <message>
        <source>Compression of the cache</source>
        <translation>缓存压缩</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>The engine cannot run this model</source>
        <translation>引擎无法运行此模型</translation>
    </message>
    <message>
        <source>Whether the engine can run it is found out when it is loaded.</source>
        <translation>引擎能否运行它，要到加载时才知道。</translation>
    </message>
    <message>
        <source>Fits this machine</source>
        <translation>这台电脑放得下</translation>
    </message>
    <message>
        <source>Does not fit: {size} of GPU memory are missing</source>
        <translation>放不下：还缺 {size} 显存</translation>
    </message>
    <message>
        <source>Does not fit: {size} of memory are missing</source>
        <translation>放不下：还缺 {size} 内存</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Longest text that fits: {count} tokens.</source>
        <translation>放得下的最长文本：{count} 个词元。</translation>
    </message>
    <message>
        <source>Estimated: {reading} to read this length, then {token} for each word part.</source>
        <translation>估计：读完这一长度需 {reading}，之后每个词元 {token}。</translation>
    </message>
</context>
<context>
    <name>GaugeStrip</name>
    <message>
        <source>No GPU</source>
        <translation>无 GPU</translation>
    </message>
    <message>
        <source>{hot} hot · {cold} cold · {total} tokens</source>
        <translation>热 {hot} · 冷 {cold} · 共 {total} 词元</translation>
    </message>
    <message>
        <source>Hot: {hot}, cold: {cold}</source>
        <translation>热：{hot}，冷：{cold}</translation>
    </message>
    <message>
        <source>{figure} tokens/s</source>
        <translation>{figure} 词元/秒</translation>
    </message>
    <message>
        <source>{figure} s</source>
        <translation>{figure} 秒</translation>
    </message>
    <message>
        <source>{figure} MB a token</source>
        <translation>每词元 {figure} MB</translation>
    </message>
    <message>
        <source>{used} of {total}</source>
        <translation>{used} / {total}</translation>
    </message>
    <message>
        <source>Lectern {own}, others {others}, free {free}</source>
        <translation>Lectern {own}，其他 {others}，空闲 {free}</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Hot window</source>
        <translation>热窗口</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>First word</source>
        <translation>首词</translation>
    </message>
    <message>
        <source>Bus traffic</source>
        <translation>总线流量</translation>
    </message>
</context>
<context>
    <name>GenerationPage</name>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>These apply from the next answer on; the model stays loaded.</source>
        <translation>从下一次回答起生效；无需重新加载模型。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 always takes the likeliest word; more brings variety and mistakes.</source>
        <translation>0 总是选择最可能的词；数值越大，变化越多，错误也越多。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>回答的最大长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>An answer that is cut there says so.</source>
        <translation>回答在此处截断时会注明。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Another one each time</source>
        <translation>每次不同</translation>
    </message>
    <message>
        <source>With a number, the same question gets the same answer; it matters above temperature 0.</source>
        <translation>填入数字后，同样的问题会得到同样的回答；仅在温度大于 0 时有影响。</translation>
    </message>
    <message>
        <source>Show which pages an answer looked at</source>
        <translation>显示回答看过哪些页</translation>
    </message>
    <message>
        <source>After each answer its attention is looked up once more, which takes a moment.</source>
        <translation>每次回答之后会再查一遍它的注意力，需要片刻。</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Search all questions and answers</source>
        <translation>搜索所有问题和回答</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Rename the conversation (F2)</source>
        <translation>重命名对话 (F2)</translation>
    </message>
    <message>
        <source>Delete the conversation (Del)</source>
        <translation>删除对话 (Del)</translation>
    </message>
    <message>
        <source>Close the history (Ctrl+H)</source>
        <translation>关闭历史记录 (Ctrl+H)</translation>
    </message>
    <message>
        <source>Questions: {count}</source>
        <translation>{count} 个问题</translation>
    </message>
    <message>
        <source>Without a document</source>
        <translation>没有文档</translation>
    </message>
    <message>
        <source>What you ask is kept here, with its answers. Nothing leaves this machine.</source>
        <translation>您的提问及其回答都保存在这里。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Nothing found. All words must stand in one question with its answer.</source>
        <translation>未找到。所有词语须出现在同一个问题及其回答中。</translation>
    </message>
</context>
<context>
    <name>ItemForm</name>
    <message>
        <source>1 to {count} characters are needed.</source>
        <translation>需要 1 至 {count} 个字符。</translation>
    </message>
    <message>
        <source>Short title, for the table</source>
        <translation>表格中的简短标题</translation>
    </message>
    <message>
        <source>Question, as the model is asked</source>
        <translation>向模型提出的问题</translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation>答案形式</translation>
    </message>
    <message>
        <source>One or two sentences</source>
        <translation>一两句话</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Length of time</source>
        <translation>期限</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>金额</translation>
    </message>
    <message>
        <source>Parties</source>
        <translation>当事人</translation>
    </message>
    <message>
        <source>Law of a country or state</source>
        <translation>适用法律</translation>
    </message>
    <message>
        <source>Yes or no</source>
        <translation>是或否</translation>
    </message>
</context>
<context>
    <name>MachineForm</name>
    <message>
        <source>The machine of this profile</source>
        <translation>此方案所针对的机器</translation>
    </message>
    <message>
        <source>The plan beside is made for it. Lectern loads models by what this machine has.</source>
        <translation>旁边的规划针对该机器。加载模型时以本机实际情况为准。</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory that is free</source>
        <translation>可用内存</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>Free on the disk</source>
        <translation>磁盘可用空间</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Speed of PCIe</source>
        <translation>PCIe 速度</translation>
    </message>
    <message>
        <source>Speed of GPU memory</source>
        <translation>显存速度</translation>
    </message>
    <message>
        <source>Speed of the GPU</source>
        <translation>GPU 速度</translation>
    </message>
    <message>
        <source>Speed of memory</source>
        <translation>内存速度</translation>
    </message>
    <message>
        <source>Speed of the processor</source>
        <translation>处理器速度</translation>
    </message>
    <message>
        <source>GPU {number}</source>
        <translation>GPU {number}</translation>
    </message>
    <message>
        <source>GPU {number}: memory</source>
        <translation>GPU {number}：显存</translation>
    </message>
    <message>
        <source>GPU {number}: free</source>
        <translation>GPU {number}：可用</translation>
    </message>
    <message>
        <source>GPU {number}: PCIe generation</source>
        <translation>GPU {number}：PCIe 代数</translation>
    </message>
    <message>
        <source>GPU {number}: PCIe lanes</source>
        <translation>GPU {number}：PCIe 通道数</translation>
    </message>
</context>
<context>
    <name>MachinePage</name>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Lectern reads and answers here and sends nothing away. How long a document may be depends on what this computer has.</source>
        <translation>Lectern 在本机阅读和回答，不向外发送任何内容。文档可以有多长取决于这台电脑的配置。</translation>
    </message>
    <message>
        <source>What could be set up better</source>
        <translation>可以改进的设置</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>To be set up better for {model}, the model that fits best here:</source>
        <translation>为最适合这台电脑的模型 {model}，以下几项可以改进：</translation>
    </message>
    <message>
        <source>Everything is in order for {model}, the model that fits best here.</source>
        <translation>对于最适合这台电脑的模型 {model}，一切正常。</translation>
    </message>
    <message>
        <source>Memory: {total}, {usable} of it can be used now</source>
        <translation>内存：{total}，现在可用 {usable}</translation>
    </message>
    <message>
        <source>Processor cores: {count}</source>
        <translation>处理器核心数：{count}</translation>
    </message>
    <message>
        <source>No GPU: the processor computes, which takes longer</source>
        <translation>没有 GPU：由处理器计算，耗时较长</translation>
    </message>
    <message>
        <source>Free disk space: {size}</source>
        <translation>可用磁盘空间：{size}</translation>
    </message>
    <message>
        <source>{name}: {total} of GPU memory, {usable} of it can be used now</source>
        <translation>{name}：显存 {total}，现在可用 {usable}</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>History: earlier conversations (Ctrl+H)</source>
        <translation>历史记录：以前的对话 (Ctrl+H)</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open documents (Ctrl+O)</source>
        <translation>打开文档 (Ctrl+O)</translation>
    </message>
    <message>
        <source>System check</source>
        <translation>系统检查</translation>
    </message>
    <message>
        <source>System check (Ctrl+Shift+K)</source>
        <translation>系统检查 (Ctrl+Shift+K)</translation>
    </message>
    <message>
        <source>Set up again</source>
        <translation>重新设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>设置 (Ctrl+,)</translation>
    </message>
    <message>
        <source>Open documents</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>Documents (*.pdf *.docx *.epub *.html *.htm *.md *.txt);;All files (*)</source>
        <translation>文档 (*.pdf *.docx *.epub *.html *.htm *.md *.txt);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What you leave open is chosen by the profile. Each change says what it costs.</source>
        <translation>未设定的项由配置方案决定。每项更改都会注明代价。</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>All that the model reads</source>
        <translation>模型可读的全部长度</translation>
    </message>
    <message>
        <source>Leave all to the profile</source>
        <translation>全部由配置方案决定</translation>
    </message>
    <message>
        <source>Save as a profile</source>
        <translation>保存为配置方案</translation>
    </message>
    <message>
        <source>Name of a new profile</source>
        <translation>新配置方案的名称</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Hot budget</source>
        <translation>热层预算</translation>
    </message>
    <message>
        <source>Active window</source>
        <translation>活动窗口</translation>
    </message>
    <message>
        <source>Migration interval</source>
        <translation>迁移间隔</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Place of host memory</source>
        <translation>主机内存的位置</translation>
    </message>
    <message>
        <source>Read in chunks of</source>
        <translation>每次读取</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>Numbers of the cache</source>
        <translation>缓存数值格式</translation>
    </message>
    <message>
        <source>Device of the cache</source>
        <translation>缓存所在设备</translation>
    </message>
    <message>
        <source>Quantisation of the weights</source>
        <translation>权重量化</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Reserved huge pages</source>
        <translation>预留大页</translation>
    </message>
    <message>
        <source>Transparent huge pages</source>
        <translation>透明大页</translation>
    </message>
    <message>
        <source>Ordinary memory</source>
        <translation>普通内存</translation>
    </message>
    <message>
        <source>Pinned for the GPU</source>
        <translation>为 GPU 锁页</translation>
    </message>
    <message>
        <source>Left to the system</source>
        <translation>由系统决定</translation>
    </message>
    <message>
        <source>Near the GPU (NUMA)</source>
        <translation>靠近 GPU（NUMA）</translation>
    </message>
    <message>
        <source>All on the GPU</source>
        <translation>全部在 GPU 上</translation>
    </message>
    <message>
        <source>Only the active window on the GPU</source>
        <translation>仅活动窗口在 GPU 上</translation>
    </message>
    <message>
        <source>Divided among the GPUs</source>
        <translation>分布在多块 GPU 上</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>nf4 (4 bits)</source>
        <translation>nf4（4 位）</translation>
    </message>
    <message>
        <source>int8 (8 bits)</source>
        <translation>int8（8 位）</translation>
    </message>
    <message>
        <source>One GPU computes all layers</source>
        <translation>由一块 GPU 计算所有层</translation>
    </message>
    <message>
        <source>Layers divided among the GPUs</source>
        <translation>各层分布在多块 GPU 上</translation>
    </message>
    <message>
        <source>Takes effect at once.</source>
        <translation>立即生效。</translation>
    </message>
    <message>
        <source>The documents are read again.</source>
        <translation>将重新读取文档。</translation>
    </message>
    <message>
        <source>The model is loaded again.</source>
        <translation>将重新加载模型。</translation>
    </message>
    <message>
        <source>This takes effect at once; what was read stays read.</source>
        <translation>立即生效；已读取的内容保留。</translation>
    </message>
    <message>
        <source>The documents are read again; the model stays loaded. Your conversation stays on screen.</source>
        <translation>将重新读取文档；模型保持加载。您的对话仍留在屏幕上。</translation>
    </message>
    <message>
        <source>The model is loaded again and the documents are read again. Your conversation stays on screen.</source>
        <translation>将重新加载模型并重新读取文档。您的对话仍留在屏幕上。</translation>
    </message>
    <message>
        <source>By the profile: automatic</source>
        <translation>按配置方案：自动</translation>
    </message>
    <message>
        <source>By the profile: {value}</source>
        <translation>按配置方案：{value}</translation>
    </message>
</context>
<context>
    <name>ModelChoicePage</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The starter works at once and is good for a first look; larger models read longer documents and answer far better. Go on while one is downloaded: Lectern offers it when it has come.</source>
        <translation>入门模型可以立即使用，适合初步体验；更大的模型能读更长的文档，回答也好得多。下载期间可以继续操作：下载完成后 Lectern 会提示您使用它。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型列表</translation>
    </message>
</context>
<context>
    <name>ModelList</name>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型列表</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Profile and model</source>
        <translation>配置方案与模型</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>配置方案</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>“starter”, a folder with config.json and safetensors files, or a .gguf file. The models below can be planned for before they are downloaded.</source>
        <translation>“starter”、含有 config.json 和 safetensors 文件的文件夹，或 .gguf 文件。下面的模型在下载之前即可进行规划。</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>GGUF file…</source>
        <translation>GGUF 文件…</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>模型信息</translation>
    </message>
    <message>
        <source>Load this model even if it does not fit</source>
        <translation>即使放不下也加载此模型</translation>
    </message>
    <message>
        <source>Models to download</source>
        <translation>可下载的模型</translation>
    </message>
    <message>
        <source>With this profile on this computer. Times and rates are estimated. They come from the Hugging Face Hub, are checked, and stay on this computer.</source>
        <translation>在这台电脑上采用此配置方案时的情况。时间和速度为估计值。模型来自 Hugging Face Hub，下载后会校验，并保存在这台电脑上。</translation>
    </message>
    <message>
        <source>Set up again…</source>
        <translation>重新设置…</translation>
    </message>
    <message>
        <source>compression {codec}</source>
        <translation>压缩 {codec}</translation>
    </message>
    <message>
        <source>hot budget {size}</source>
        <translation>热层预算 {size}</translation>
    </message>
    <message>
        <source>active window {count} tokens</source>
        <translation>活动窗口 {count} 个词元</translation>
    </message>
    <message>
        <source>chunks of {count} tokens</source>
        <translation>每块 {count} 个词元</translation>
    </message>
    <message>
        <source>layers divided among GPUs</source>
        <translation>各层分到多个 GPU</translation>
    </message>
    <message>
        <source>Sets: {parts}.</source>
        <translation>设定：{parts}。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>{parameters} billion parameters, {layers} layers ({attention}); reads {count} tokens.</source>
        <translation>{parameters}B 参数，{layers} 层（{attention}）；可读取 {count} 个词元。</translation>
    </message>
    <message>
        <source>Choose a model&apos;s folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Chosen</source>
        <translation>已选用</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选用</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>One model is downloaded at a time.</source>
        <translation>一次只下载一个模型。</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <comment>a button and its model</comment>
        <translation>{action}：{name}</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <source>Starter ({title})</source>
        <translation>入门模型（{title}）</translation>
    </message>
    <message>
        <source>{licence} · {size} · reads up to {count} tokens</source>
        <translation>{licence} · {size} · 最多读取 {count} 个词元</translation>
    </message>
    <message>
        <source>Its publisher wants to be asked first: accept the terms on the model&apos;s page and set HF_TOKEN.</source>
        <translation>需要先征得发布者同意：请在模型页面上接受条款，并设置 HF_TOKEN。</translation>
    </message>
    <message>
        <source>The engine cannot run it: {reason}</source>
        <translation>引擎无法运行此模型：{reason}</translation>
    </message>
    <message>
        <source>Fits with all {count} tokens</source>
        <translation>放得下全部 {count} 个词元</translation>
    </message>
    <message>
        <source>Fits with up to {count} tokens</source>
        <translation>最多放得下 {count} 个词元</translation>
    </message>
    <message>
        <source>about {time} to read {count} tokens</source>
        <translation>读 {count} 个词元约需 {time}</translation>
    </message>
    <message>
        <source>about {exact} tokens/s exact, {sparse} sparse</source>
        <translation>精确模式约 {exact} 词元/秒，稀疏模式约 {sparse} 词元/秒</translation>
    </message>
    <message>
        <source>Does not fit this computer</source>
        <translation>这台电脑放不下</translation>
    </message>
    <message>
        <source>Does not fit: {size} of GPU memory are missing</source>
        <translation>放不下：显存还差 {size}</translation>
    </message>
    <message>
        <source>Does not fit: {size} of memory are missing</source>
        <translation>放不下：内存还差 {size}</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Letters, digits, dots, hyphens and underscores, 64 at most.</source>
        <translation>字母、数字、点、连字符和下划线，最多 64 个字符。</translation>
    </message>
    <message>
        <source>Name of the profile</source>
        <translation>配置方案名称</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss this notice</source>
        <translation>关闭此提示</translation>
    </message>
    <message>
        <source>Go to page {number}</source>
        <translation>转到第 {number} 页</translation>
    </message>
    <message>
        <source>+{count} more</source>
        <translation>另有 {count} 项</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Read with text recognition</source>
        <translation>用文字识别读取</translation>
    </message>
    <message>
        <source>The file is damaged and was repaired while it was opened; parts of it may be missing.</source>
        <translation>文件已损坏，打开时已修复；部分内容可能缺失。</translation>
    </message>
    <message>
        <source>The author of this file does not permit copying its text. You may read and ask here; respect that wish when you pass text on.</source>
        <translation>此文件的作者不允许复制其文字。您可以在此阅读和提问；转述时请尊重这一意愿。</translation>
    </message>
    <message>
        <source>Page {pages} is a picture without text. It can be read with text recognition (OCR).</source>
        <translation>第 {pages} 页是没有文字的图片。可通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>Page {pages} has no text.</source>
        <translation>第 {pages} 页没有文字。</translation>
    </message>
    <message>
        <source>The text of page {pages} has no readable meaning because its fonts are damaged. Read it with text recognition (OCR).</source>
        <translation>第 {pages} 页的字体已损坏，文字无法辨读。请通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>Page {pages} could not be read. The others were read.</source>
        <translation>第 {pages} 页无法读取。其他页面已读取。</translation>
    </message>
    <message>
        <source>The text of page {pages} was found by text recognition (OCR) in a picture; it can have errors.</source>
        <translation>第 {pages} 页的文字由图片文字识别（OCR）得到，可能有误。</translation>
    </message>
    <message>
        <source>Page {pages} has comments. They are kept apart; the model does not read them.</source>
        <translation>第 {pages} 页有批注，已单独保存，模型不会读取。</translation>
    </message>
    <message>
        <source>Page {pages}:</source>
        <translation>第 {pages} 页：</translation>
    </message>
    <message>
        <source>{count} pages are pictures without text ({pages}). They can be read with text recognition (OCR).</source>
        <translation>{count} 页是没有文字的图片（{pages}）。可通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>{count} pages have no text ({pages}).</source>
        <translation>{count} 页没有文字（{pages}）。</translation>
    </message>
    <message>
        <source>The text of {count} pages has no readable meaning because their fonts are damaged ({pages}). Read them with text recognition (OCR).</source>
        <translation>{count} 页的字体已损坏，文字无法辨读（{pages}）。请通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>{count} pages could not be read ({pages}). The others were read.</source>
        <translation>{count} 页无法读取（{pages}）。其他页面已读取。</translation>
    </message>
    <message>
        <source>{count} pages have text that their readers cannot see ({pages}). The model is not given it.</source>
        <translation>{count} 页有读者看不到的文字（{pages}），模型不会得到。</translation>
    </message>
    <message>
        <source>The text of {count} pages was found by text recognition (OCR) in pictures ({pages}); it can have errors.</source>
        <translation>{count} 页的文字由图片文字识别（OCR）得到（{pages}），可能有误。</translation>
    </message>
    <message>
        <source>{count} pages have comments ({pages}). They are kept apart; the model does not read them.</source>
        <translation>{count} 页有批注（{pages}），已单独保存，模型不会读取。</translation>
    </message>
    <message>
        <source>Pages {pages}:</source>
        <translation>第 {pages} 页：</translation>
    </message>
    <message>
        <source>This document is a scan: its pages are pictures without text. It can be read with text recognition (OCR).</source>
        <translation>此文档是扫描件：页面是没有文字的图片。可通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>No page of this document has text.</source>
        <translation>此文档的所有页面都没有文字。</translation>
    </message>
    <message>
        <source>The text of this document has no readable meaning because its fonts are damaged. Read it with text recognition (OCR).</source>
        <translation>此文档的字体已损坏，文字无法辨读。请通过文字识别（OCR）读取。</translation>
    </message>
    <message>
        <source>None of the pages could be read.</source>
        <translation>所有页面均无法读取。</translation>
    </message>
    <message>
        <source>Every page has text that its readers cannot see. The model is not given it.</source>
        <translation>每一页都有读者看不到的文字，模型不会得到。</translation>
    </message>
    <message>
        <source>The text of this document was found by text recognition (OCR) in pictures; it can have errors.</source>
        <translation>本文档的文字由图片文字识别（OCR）得到，可能有误。</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>Up to {count} tokens fit as things are.</source>
        <translation>按目前的设置，最多放得下 {count} 个词元。</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between two changes</comment>
        <translation>，并</translation>
    </message>
    <message>
        <source>Store the cache in {codec}</source>
        <translation>缓存采用 {codec} 存储</translation>
    </message>
    <message>
        <source>Lower the hot budget to {size}</source>
        <translation>把热层预算降到 {size}</translation>
    </message>
    <message>
        <source>Read everything for each word part (exact mode)</source>
        <translation>每个词元都读取全部内容（精确模式）</translation>
    </message>
    <message>
        <source>A profile that quantises the weights to {name} would fit.</source>
        <translation>若配置方案把权重量化为 {name}，就放得下。</translation>
    </message>
    <message>
        <source>Asked on the command line, it can keep its experts in host memory.</source>
        <translation>通过命令行，可以把专家放在内存中。</translation>
    </message>
    <message>
        <source>A profile that reads in chunks of {count} tokens would fit.</source>
        <translation>若配置方案每块只读 {count} 个词元，就放得下。</translation>
    </message>
    <message>
        <source>A profile that spreads the layers over all GPUs would fit.</source>
        <translation>若配置方案把各层分到所有 GPU，就放得下。</translation>
    </message>
</context>
<context>
    <name>OtherWays</name>
    <message>
        <source>Allow longer sequences</source>
        <translation>允许更长的序列</translation>
    </message>
    <message>
        <source>Store the cache in fewer bits</source>
        <translation>用更少的位存储缓存</translation>
    </message>
    <message>
        <source>Choose another model…</source>
        <translation>选择其他模型…</translation>
    </message>
    <message>
        <source>To read everything</source>
        <translation>要阅读全部内容</translation>
    </message>
    <message>
        <source>Allow sequences as long as the model reads: {count} tokens</source>
        <translation>允许模型能读的最长序列：{count} 个词元</translation>
    </message>
    <message>
        <source>Store the cache in {codec}: {after} in place of {before}</source>
        <translation>以 {codec} 存储缓存：{after}，而不是 {before}</translation>
    </message>
    <message>
        <source>Choose another model, which reads {count} tokens or more…</source>
        <translation>选择能读 {count} 个或更多词元的其他模型…</translation>
    </message>
</context>
<context>
    <name>PageToolbar</name>
    <message>
        <source>/ {count}</source>
        <translation>/ {count}</translation>
    </message>
    <message>
        <source>printed {label}</source>
        <translation>印刷页码 {label}</translation>
    </message>
    <message>
        <source>Thumbnails</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
    <message>
        <source>Not read by the model</source>
        <translation>模型未阅读</translation>
    </message>
    <message>
        <source>The model is not given this page, by your choice of what is read.</source>
        <translation>按您选择的阅读范围，此页不会交给模型。</translation>
    </message>
    <message>
        <source>Page number</source>
        <translation>页码</translation>
    </message>
    <message>
        <source>Type a page number, or the number printed on the page (Ctrl+G)</source>
        <translation>输入页码，或页面上印刷的页码 (Ctrl+G)</translation>
    </message>
    <message>
        <source>{percent}%</source>
        <translation>{percent}%</translation>
    </message>
</context>
<context>
    <name>PagesArea</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page {number}</source>
        <translation>第 {number} 页</translation>
    </message>
    <message>
        <source>Page {number} cannot be shown.</source>
        <translation>第 {number} 页无法显示。</translation>
    </message>
</context>
<context>
    <name>PasswordDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Password needed</source>
        <translation>需要密码</translation>
    </message>
    <message>
        <source>“{name}” is encrypted.</source>
        <translation>“{name}”已加密。</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Wrong password. Check capital letters, then try again.</source>
        <translation>密码错误。请检查大小写后重试。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>PlaceRow</name>
    <message>
        <source>{needed} needed, {usable} free</source>
        <translation>需要 {needed}，可用 {usable}</translation>
    </message>
</context>
<context>
    <name>PlanWords</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Hot window</source>
        <translation>热窗口</translation>
    </message>
    <message>
        <source>Work space</source>
        <translation>工作空间</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>none (16 bits)</source>
        <translation>不压缩（16 位）</translation>
    </message>
    <message>
        <source>int8 (8 bits)</source>
        <translation>int8（8 位）</translation>
    </message>
    <message>
        <source>k8v4 (keys 8, values 4 bits)</source>
        <translation>k8v4（键 8 位，值 4 位）</translation>
    </message>
    <message>
        <source>int4 (4 bits)</source>
        <translation>int4（4 位）</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Each word of an answer looks at the whole text. Nothing is left out.</source>
        <translation>回答的每个词都查看全文，不遗漏任何内容。</translation>
    </message>
    <message>
        <source>The whole text is read; each word of an answer looks at the parts that seem to matter most. Faster with long documents, and the answer says that it was made so.</source>
        <translation>全文都会读取；回答的每个词只查看看起来最重要的部分。长文档更快，回答中会注明采用了此方式。</translation>
    </message>
    <message>
        <source>Only the beginning and the newest part of the text are in view. Fastest; what stands between is not seen.</source>
        <translation>只能看到文本的开头和最新的部分。速度最快；中间的内容看不到。</translation>
    </message>
    <message>
        <source>{count} ms</source>
        <translation>{count} 毫秒</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} 秒</translation>
    </message>
    <message>
        <source>{count} min</source>
        <translation>{count} 分钟</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
</context>
<context>
    <name>ProfileForm</name>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Recommended model</source>
        <translation>推荐模型</translation>
    </message>
    <message>
        <source>Recommended context</source>
        <translation>推荐上下文</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>All that the model reads</source>
        <translation>模型可读的全部长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Automatic; or numbers such as 0, 1</source>
        <translation>自动；或编号，如 0, 1</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
</context>
<context>
    <name>ProfilePage</name>
    <message>
        <source>Profile</source>
        <translation>配置方案</translation>
    </message>
    <message>
        <source>A profile says how the memory of a computer is used. The first one fits every computer; the others are for particular ones. Everything can be changed later in the settings.</source>
        <translation>配置方案规定如何使用电脑的内存。第一个适合所有电脑，其余针对特定的电脑。以后都可以在设置中更改。</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>配置方案列表</translation>
    </message>
    <message>
        <source>{profile} (recommended)</source>
        <translation>{profile}（推荐）</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>With it, {model} on this computer</source>
        <translation>采用此方案时，{model} 在这台电脑上的表现</translation>
    </message>
</context>
<context>
    <name>ProfileWords</name>
    <message>
        <source>For this computer as it is: Lectern chooses what is not set here.</source>
        <translation>适用于这台电脑的现状：未设定的部分由 Lectern 选择。</translation>
    </message>
    <message>
        <source>For a computer with {ram} of memory and no GPU.</source>
        <translation>适用于内存 {ram}、没有 GPU 的电脑。</translation>
    </message>
    <message>
        <source>For a computer with {ram} of memory and {gpu}.</source>
        <translation>适用于内存 {ram}、配有 {gpu} 的电脑。</translation>
    </message>
    <message>
        <source>For a computer with {ram} of memory and {count} × {gpu}.</source>
        <translation>适用于内存 {ram}、配有 {count} × {gpu} 的电脑。</translation>
    </message>
</context>
<context>
    <name>ProfilesPage</name>
    <message>
        <source>Profiles</source>
        <translation>配置方案</translation>
    </message>
    <message>
        <source>A profile sets what you leave open. Built-in ones are read-only: save a copy to change.</source>
        <translation>配置方案决定您未设定的项。内置方案为只读：请另存副本后修改。</translation>
    </message>
    <message>
        <source>Show the profile</source>
        <translation>显示配置方案</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>放弃更改</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Undo deleting</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>{name} (damaged)</source>
        <translation>{name}（已损坏）</translation>
    </message>
    <message>
        <source>{title} (built-in)</source>
        <translation>{title}（内置）</translation>
    </message>
    <message>
        <source>Built-in: its values cannot be changed here.</source>
        <translation>内置方案：此处不能更改其数值。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>Your own profile.</source>
        <translation>您自己的配置方案。</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Save a copy of the profile</source>
        <translation>另存配置方案副本</translation>
    </message>
    <message>
        <source>Rename the profile</source>
        <translation>重命名配置方案</translation>
    </message>
    <message>
        <source>The profile “{name}” was deleted.</source>
        <translation>配置方案“{name}”已删除。</translation>
    </message>
</context>
<context>
    <name>ProgressRow</name>
    <message>
        <source>Downloading the model</source>
        <translation>正在下载模型</translation>
    </message>
    <message>
        <source>Preparing the model (once)</source>
        <translation>正在准备模型（仅一次）</translation>
    </message>
    <message>
        <source>Checking the model</source>
        <translation>正在检查模型</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Opening the document</source>
        <translation>正在打开文档</translation>
    </message>
    <message>
        <source>Reading the document</source>
        <translation>正在读取文档</translation>
    </message>
    <message>
        <source>Choosing sections</source>
        <translation>正在选择章节</translation>
    </message>
    <message>
        <source>Read before, ready</source>
        <translation>之前已读过，可以提问</translation>
    </message>
    <message>
        <source>Read in part before, going on</source>
        <translation>之前读过一部分，正在继续</translation>
    </message>
    <message>
        <source>part {number}: notes, {done} of up to {total} tokens written</source>
        <translation>第 {number} 部分：笔记已写 {done} 个词元（最多 {total} 个）</translation>
    </message>
    <message>
        <source>part {number}: {done} of {total} tokens read</source>
        <translation>第 {number} 部分：已读 {done} / {total} 个词元</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>{done} of {total} {unit}</source>
        <translation>{done} / {total} {unit}</translation>
    </message>
    <message>
        <source>{rate}/s</source>
        <translation>{rate}/秒</translation>
    </message>
    <message>
        <source>{duration} left</source>
        <translation>剩余 {duration}</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
</context>
<context>
    <name>QuestionEditor</name>
    <message>
        <source>Change the question</source>
        <translation>修改问题</translation>
    </message>
    <message>
        <source>Ask this instead</source>
        <translation>改问这个</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>RangeFields</name>
    <message>
        <source>All pages; or for example 1-40, or 3,7-9</source>
        <translation>全部页面；或例如 1-40，或 3,7-9</translation>
    </message>
    <message>
        <source>Pages of {name} that are read</source>
        <translation>{name} 中要阅读的页</translation>
    </message>
    <message>
        <source>Read {name}</source>
        <translation>阅读 {name}</translation>
    </message>
    <message>
        <source>Not ticked, the document is left out: {name}</source>
        <translation>不勾选则不阅读此文档：{name}</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>不阅读</translation>
    </message>
    <message>
        <source>All pages; or 3,7-9</source>
        <translation>全部页面；或 3,7-9</translation>
    </message>
    <message>
        <source>Tick the documents that are to be read.</source>
        <translation>请勾选要阅读的文档。</translation>
    </message>
    <message>
        <source>Write pages of the document, for example 1-40 or 3,7-9.</source>
        <translation>请写出文档的页码，例如 1-40 或 3,7-9。</translation>
    </message>
    <message>
        <source>Pages: {count}.</source>
        <translation>页数：{count}。</translation>
    </message>
</context>
<context>
    <name>ReadingDialog</name>
    <message>
        <source>What is read</source>
        <translation>阅读范围</translation>
    </message>
    <message>
        <source>What is read of the documents</source>
        <translation>文档的阅读范围</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Some pages</source>
        <translation>部分页面</translation>
    </message>
    <message>
        <source>Some documents or pages</source>
        <translation>部分文档或页面</translation>
    </message>
    <message>
        <source>The sections that match, chosen for each question</source>
        <translation>为每个问题选出的相关章节</translation>
    </message>
    <message>
        <source>Everything, with the model&apos;s context stretched (YaRN)</source>
        <translation>全部，扩展模型的上下文 (YaRN)</translation>
    </message>
    <message>
        <source>Read this</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The model has not counted the documents yet.</source>
        <translation>模型尚未统计文档长度。</translation>
    </message>
    <message>
        <source>{pages} pages with text are {count} tokens; {model} reads {limit} at a time, question and answer included. Nothing is ever cut.</source>
        <translation>有文字的 {pages} 页共 {count} 个词元；{model} 一次最多读 {limit} 个，包括问题和回答。绝不会截断任何内容。</translation>
    </message>
    <message>
        <source>The model was made for {context} tokens; stretched {factor} times, its answers may lose precision. It is loaded again for that.</source>
        <translation>该模型为 {context} 个词元而设计；扩展 {factor} 倍后，回答可能不够精确。为此需重新加载模型。</translation>
    </message>
    <message>
        <source>No section fits beside a question and its answer.</source>
        <translation>除问题和回答外，容不下任何章节。</translation>
    </message>
    <message>
        <source>Up to {count} tokens, about {pages} of {total} pages, for each question, and the answer names them. Each question stands by itself; a request for a summary reads all sections in turn.</source>
        <translation>每个问题最多读 {count} 个词元，约 {total} 页中的 {pages} 页，回答会注明是哪些页。每个问题相互独立；要求总结时会依次阅读所有章节。</translation>
    </message>
    <message>
        <source>{count} sections were found.</source>
        <translation>找到 {count} 个章节。</translation>
    </message>
</context>
<context>
    <name>ReadingStrip</name>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Change what is read</source>
        <translation>更改阅读范围</translation>
    </message>
</context>
<context>
    <name>ReadingView</name>
    <message>
        <source>What is read</source>
        <translation>阅读范围</translation>
    </message>
    <message>
        <source>What is read: all pages, some, or sections (Ctrl+Shift+R)</source>
        <translation>阅读范围：全部页面、部分页面或章节 (Ctrl+Shift+R)</translation>
    </message>
</context>
<context>
    <name>ReadingWords</name>
    <message>
        <source>The sections that match best are searched and read for each question. Each question stands by itself; a request for a summary reads all sections.</source>
        <translation>针对每个问题查找并阅读最相关的章节。每个问题相互独立；要求总结时会阅读所有章节。</translation>
    </message>
    <message>
        <source>The model&apos;s context is stretched {count} times; answers may lose precision.</source>
        <translation>模型的上下文已扩展 {count} 倍；回答可能不够精确。</translation>
    </message>
    <message>
        <source>{needed} of {limit} tokens</source>
        <translation>需要 {needed} 个词元，上限 {limit} 个</translation>
    </message>
    <message>
        <source>None of these pages has text.</source>
        <translation>这些页面都没有文字。</translation>
    </message>
    <message>
        <source>Does not fit: {numbers}.</source>
        <translation>放不下：{numbers}。</translation>
    </message>
    <message>
        <source>Fits the model ({numbers}), but not the memory: {size} would be kept.</source>
        <translation>模型放得下（{numbers}），但内存不够：需保存 {size}。</translation>
    </message>
    <message>
        <source>Fits: {numbers}.</source>
        <translation>放得下：{numbers}。</translation>
    </message>
    <message>
        <source>{pages} of {count}</source>
        <translation>{pages}（共 {count} 页）</translation>
    </message>
    <message>
        <source>Left out and not read: {names}.</source>
        <translation>未纳入、未阅读：{names}。</translation>
    </message>
    <message>
        <source>Of {count} pages, only these are read: {pages}.</source>
        <translation>共 {count} 页，只阅读这些页：{pages}。</translation>
    </message>
    <message>
        <source>Only these pages are read: {pages}.</source>
        <translation>只阅读这些页：{pages}。</translation>
    </message>
    <message>
        <source>{size} of memory are needed and not there: nothing was read.</source>
        <translation>需要 {size} 内存但不足：未阅读任何内容。</translation>
    </message>
    <message>
        <source>None of these pages has text: nothing was read.</source>
        <translation>这些页面都没有文字：未读取任何内容。</translation>
    </message>
    <message>
        <source>{needed} tokens are needed and {model} reads {limit} at most: nothing was read.</source>
        <translation>需要 {needed} 个词元，而 {model} 最多读 {limit} 个：未阅读任何内容。</translation>
    </message>
</context>
<context>
    <name>ReadyPage</name>
    <message>
        <source>Ready</source>
        <translation>准备就绪</translation>
    </message>
    <message>
        <source>Open a document and ask. Answers come with the pages that prove them.</source>
        <translation>打开文档并提问。回答会附上作为依据的页码。</translation>
    </message>
    <message>
        <source>Profile: {profile}</source>
        <translation>配置方案：{profile}</translation>
    </message>
    <message>
        <source>Model: {model}</source>
        <translation>模型：{model}</translation>
    </message>
    <message>
        <source>Both can be changed in the settings, and these steps can be taken again from there.</source>
        <translation>两者都可以在设置中更改，也可以从那里重新进行这些步骤。</translation>
    </message>
    <message>
        <source>Open a document…</source>
        <translation>打开文档…</translation>
    </message>
    <message>
        <source>Try the sample</source>
        <translation>试用示例</translation>
    </message>
</context>
<context>
    <name>RecognitionPage</name>
    <message>
        <source>Text recognition</source>
        <translation>文字识别</translation>
    </message>
    <message>
        <source>Pages that are pictures, or whose text is damaged, can be read with text recognition (OCR). It takes a few seconds a page, and its results are kept on this disk.</source>
        <translation>图片页面或文字损坏的页面可以用文字识别 (OCR) 阅读。每页需几秒钟，结果保存在此磁盘上。</translation>
    </message>
    <message>
        <source>Recognise text</source>
        <translation>识别文字</translation>
    </message>
    <message>
        <source>When I ask for it</source>
        <translation>我要求时</translation>
    </message>
    <message>
        <source>Always, on pages without a sound text</source>
        <translation>总是，用于没有可靠文字的页面</translation>
    </message>
    <message>
        <source>Never, and do not offer it</source>
        <translation>从不，也不提示</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language of the system, and English</source>
        <translation>系统语言和英语</translation>
    </message>
    <message>
        <source>Languages of the documents</source>
        <translation>文档的语言</translation>
    </message>
    <message>
        <source>{language}: no data</source>
        <translation>{language}：无数据</translation>
    </message>
    <message>
        <source>More languages come with Tesseract&apos;s data, for example: {command}</source>
        <translation>更多语言随 Tesseract 数据提供，例如：{command}</translation>
    </message>
</context>
<context>
    <name>RenameDialog</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Name of the conversation</source>
        <translation>对话名称</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ReviewBar</name>
    <message>
        <source>Checklist</source>
        <translation>清单</translation>
    </message>
    <message>
        <source>The questions to ask</source>
        <translation>要提出的问题</translation>
    </message>
    <message>
        <source>Edit checklists</source>
        <translation>编辑清单</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc). What is answered stays.</source>
        <translation>停止 (Esc)。已有的答案会保留。</translation>
    </message>
    <message>
        <source>Search questions and answers</source>
        <translation>搜索问题和答案</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Which rows are shown</source>
        <translation>显示哪些行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Save a report of what was found</source>
        <translation>将审查结果保存为报告</translation>
    </message>
    <message>
        <source>Word document (.docx)…</source>
        <translation>Word 文档 (.docx)…</translation>
    </message>
    <message>
        <source>Markdown (.md)…</source>
        <translation>Markdown (.md)…</translation>
    </message>
    <message>
        <source>Table (.csv)…</source>
        <translation>表格 (.csv)…</translation>
    </message>
    <message>
        <source>Web page (.html)…</source>
        <translation>网页 (.html)…</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已驳回</translation>
    </message>
    <message>
        <source>Verified only</source>
        <translation>仅已核实</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Not answered</source>
        <translation>未回答</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Ask what you have neither accepted nor rejected</source>
        <translation>重新提出尚未接受或驳回的问题</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Ask what has no answer yet</source>
        <translation>提出尚无答案的问题</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Ask all questions of the checklist</source>
        <translation>提出清单中的所有问题</translation>
    </message>
</context>
<context>
    <name>ReviewModel</name>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>引文</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页码</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>可信度</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>ReviewView</name>
    <message>
        <source>Findings of the review</source>
        <translation>审查结果</translation>
    </message>
    <message>
        <source>{count} of {total} answered</source>
        <translation>已回答 {count} / {total}</translation>
    </message>
    <message>
        <source>{count} verified</source>
        <translation>已核实 {count}</translation>
    </message>
    <message>
        <source>A question is being answered: the review can start after it.</source>
        <translation>正在回答一个问题，之后才能开始审查。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>ReviewWords</name>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Answering…</source>
        <translation>回答中…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Not answered</source>
        <translation>未回答</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>待定</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已驳回</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Profile and model</source>
        <translation>配置方案与模型</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>配置方案</translation>
    </message>
    <message>
        <source>Appearance and language</source>
        <translation>外观与语言</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Text recognition</source>
        <translation>文字识别</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>设置页面</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>On the machine of this profile</source>
        <translation>在此方案所针对的机器上</translation>
    </message>
    <message>
        <source>System check…</source>
        <translation>系统检查…</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The profile “{name}” was saved and is chosen now.</source>
        <translation>配置方案“{name}”已保存，并已选用。</translation>
    </message>
</context>
<context>
    <name>SetupWizard</name>
    <message>
        <source>Set up Lectern</source>
        <translation>设置 Lectern</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>配置方案</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>准备就绪</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Skip these steps (Esc)</source>
        <translation>跳过这些步骤 (Esc)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>上一步 (Alt+Left)</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Next (Alt+Right)</source>
        <translation>下一步 (Alt+Right)</translation>
    </message>
</context>
<context>
    <name>Shares</name>
    <message>
        <source>While it wrote, {share} of what the model looked at was here. That is no proof.</source>
        <translation>写作时，模型所看内容的 {share} 在这里。这并不是证明。</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Conversation or review</source>
        <translation>对话或审查</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Questions of your own (Ctrl+1)</source>
        <translation>自己提问 (Ctrl+1)</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审查</translation>
    </message>
    <message>
        <source>The questions of a checklist (Ctrl+2)</source>
        <translation>清单中的问题 (Ctrl+2)</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Drop a document here</source>
        <translation>将文档拖放到此处</translation>
    </message>
    <message>
        <source>A PDF of any length, or several at once. Lectern reads all of it on this computer and answers your questions with the pages that prove them. Nothing leaves this machine.</source>
        <translation>任意长度的 PDF，也可一次多份。Lectern 在本机完整读取文档，回答您的问题，并注明作为依据的页面。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Open a document…</source>
        <translation>打开文档…</translation>
    </message>
    <message>
        <source>Try the sample</source>
        <translation>试用示例</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Recent documents</source>
        <translation>最近的文档</translation>
    </message>
    <message>
        <source>Recent conversations</source>
        <translation>最近的对话</translation>
    </message>
    <message>
        <source>Set up again…</source>
        <translation>重新设置…</translation>
    </message>
    <message>
        <source>Choose a profile and a model step by step (Ctrl+Shift+U)</source>
        <translation>逐步选择配置方案和模型 (Ctrl+Shift+U)</translation>
    </message>
</context>
<context>
    <name>StepBar</name>
    <message>
        <source>Step {number} of {count}: {name}</source>
        <translation>第 {number} 步，共 {count} 步：{name}</translation>
    </message>
</context>
<context>
    <name>StoragePage</name>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Models and read documents can be moved by the environment variable LECTERN_CACHE_DIR.</source>
        <translation>模型和已读文档的位置可通过环境变量 LECTERN_CACHE_DIR 更改。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Read documents</source>
        <translation>已读文档</translation>
    </message>
    <message>
        <source>Your profiles</source>
        <translation>您的配置方案</translation>
    </message>
    <message>
        <source>Settings and log</source>
        <translation>设置与日志</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open folder: {name}</source>
        <translation>打开文件夹：{name}</translation>
    </message>
    <message>
        <source>Size of the models</source>
        <translation>模型大小</translation>
    </message>
    <message>
        <source>Keep documents read on this disk, so that they open at once next time</source>
        <translation>在此磁盘上保存已读文档，下次可立即打开</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>A quarter of the free disk</source>
        <translation>可用磁盘空间的四分之一</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>All together: {size}</source>
        <translation>合计：{size}</translation>
    </message>
    <message>
        <source>{size} are free on this disk.</source>
        <translation>此磁盘还有 {size} 空闲。</translation>
    </message>
</context>
<context>
    <name>Thumbnails</name>
    <message>
        <source>Thumbnails</source>
        <translation>缩略图</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Recent documents</source>
        <translation>最近的文档</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空此列表</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Another answer is coming…</source>
        <translation>正在生成另一个回答…</translation>
    </message>
    <message>
        <source>Not answered yet.</source>
        <translation>尚未回答。</translation>
    </message>
    <message>
        <source>Stopped. What came so far is kept.</source>
        <translation>已停止。已生成的内容会保留。</translation>
    </message>
    <message>
        <source>Stopped before anything was written.</source>
        <translation>已停止，尚未写出任何内容。</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Edit the question</source>
        <translation>编辑问题</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>From here on with other settings: the model does not know what stands above.</source>
        <translation>此后使用其他设置：模型不知道以上内容。</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 词元</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} 词元/秒</translation>
    </message>
</context>
<context>
    <name>WarmMark</name>
    <message>
        <source>Page {number}</source>
        <translation>第 {number} 页</translation>
    </message>
</context>
<context>
    <name>_Pages</name>
    <message>
        <source>Page {number}</source>
        <translation>第 {number} 页</translation>
    </message>
    <message>
        <source>Page {number}, not read</source>
        <translation>第 {number} 页，未阅读</translation>
    </message>
</context>
</TS>
