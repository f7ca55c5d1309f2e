<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
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
        <source>Unknown encryption</source>
        <translation>未知的加密方式</translation>
    </message>
    <message>
        <source>“{name}” could not be opened in time, or it breaks the reader. It is probably damaged; open it in another PDF program and save a copy.</source>
        <translation>“{name}”未能及时打开，或使读取程序出错。文件可能已损坏；请用其他 PDF 程序打开并另存一份。</translation>
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
        <source>“{name}” is a folder. Choose a PDF file inside it.</source>
        <translation>“{name}”是文件夹。请选择其中的 PDF 文件。</translation>
    </message>
    <message>
        <source>The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be asked.</source>
        <translation>页面只含图像：这是扫描件。需要先进行文字识别（OCR）才能提问。</translation>
    </message>
    <message>
        <source>Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer included. Nothing was cut. Choose a model with a longer context in the settings; the first {fitting} pages would fit this one.</source>
        <translation>共 {pages} 页，{tokens} 个词元；{model} 连同问题和回答最多读取 {limit} 个。内容未被截断。请在设置中选择上下文更长的模型；此模型可容纳前 {fitting} 页。</translation>
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
    <name>MainWindow</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
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
        <source>PDF documents (*.pdf);;All files (*)</source>
        <translation>PDF 文档 (*.pdf);;所有文件 (*)</translation>
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
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>“starter”, a folder with config.json and safetensors files, or a .gguf file.</source>
        <translation>“starter”、含 config.json 和 safetensors 文件的文件夹，或 .gguf 文件。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
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
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Models (*.gguf config.json)</source>
        <translation>模型 (*.gguf config.json)</translation>
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
        <source>Stopped. What came so far is kept.</source>
        <translation>已停止。已生成的内容会保留。</translation>
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
    <name>_Pages</name>
    <message>
        <source>Page {number}</source>
        <translation>第 {number} 页</translation>
    </message>
</context>
</TS>
